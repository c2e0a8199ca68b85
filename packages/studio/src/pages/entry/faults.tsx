// What the server has refused of a save, above the form; each sentence also stands at its field.

import type { Fault } from '../../model/faults.ts'
import { labelOf } from '../../model/labels.ts'
import type { ContentType } from '../../model/types.ts'
import { Notice } from '../../ui/notice.tsx'

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
              <strong>{nameOf(type, fault.path)}</strong>: {fault.message}
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
