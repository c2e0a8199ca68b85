// Boxes that are ticked.

import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components'
import styles from './toggle.module.css'

interface CheckboxProps extends Omit<AriaCheckboxProps, 'className' | 'style' | 'children'> {
  readonly children?: ReactNode
}

/** Without children it needs an `aria-label`, or the slot of a table. */
export function Checkbox({ children, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} className={styles.toggle!}>
      {({ isIndeterminate }) => (
        <>
          <span className={styles.box} aria-hidden="true">
            {isIndeterminate ? <Minus strokeWidth={3} /> : <Check strokeWidth={3} />}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  )
}
