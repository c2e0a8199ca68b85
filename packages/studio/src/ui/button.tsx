// Buttons, and links that look like them.

import type { LinkProps } from 'react-aria-components'
import { Button as AriaButton, type ButtonProps as AriaButtonProps, Link as AriaLink } from 'react-aria-components'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

interface Look {
  readonly look?: 'primary' | 'danger' | 'quiet' | 'plain'
  readonly isSmall?: boolean
  readonly isWide?: boolean
  /** True for a button that shows nothing but an icon. It needs an `aria-label`. */
  readonly isIcon?: boolean
}

const classesOf = ({ look = 'plain', isSmall, isWide, isIcon }: Look) =>
  classNames(
    styles.button,
    look !== 'plain' && styles[look],
    isSmall && styles.small,
    isWide && styles.wide,
    isIcon && styles.icon,
  )

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style'> & Look

export function Button({ look, isSmall, isWide, isIcon, ...props }: ButtonProps) {
  return <AriaButton {...props} className={classesOf({ look, isSmall, isWide, isIcon } as Look)} />
}

/** A link to another page of the panel, or elsewhere. */
export function ButtonLink({ look, isSmall, isWide, isIcon, ...props }: Omit<LinkProps, 'className' | 'style'> & Look) {
  return <AriaLink {...props} className={classesOf({ look, isSmall, isWide, isIcon } as Look)} />
}
