// The faults for which the server has refused a save, above the form. Each is also at its field, and leads to it.

import { Button } from 'react-aria-components'
import { focusField } from '../../form/focus-field.ts'
import type { Fault } from '../../model/faults.ts'
import { labelOf } from '../../model/labels.ts'
import type { ContentType } from '../../model/types.ts'
import { Notice } from '../../ui/notice.tsx'
import styles from './entry.module.css'

interface FaultsProps {
  readonly type: ContentType
  readonly faults: readonly Fault[]
  readonly message: string | null
}

export function Faults({ type, faults, message }: FaultsProps) {
  if (message === null) return null
  return (
    <Notice tone="bad">
      <p>{message}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map(fault => (
            <li key={`${fault.path} ${fault.message}`}>
              <Button className={styles.fault!} onPress={() => focusField(fault.path)}>
                <strong>{nameOf(type, fault.path)}</strong>: {fault.message}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

/** "Sections 2, heading" for `sections.1.heading`. */
function nameOf(type: ContentType, path: string): string {
  const [first = '', ...rest] = path.split('.')
  const label = type.attributes.find(({ name }) => name === first)?.label ?? labelOf(first)
  return [label, ...rest.map(part => (/^\d+$/.test(part) ? String(Number(part) + 1) : labelOf(part)))].join(' › ')
}
