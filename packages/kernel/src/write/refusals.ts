// Finds values that are valid, but do not fit into their columns: servers have limits that SQLite does not have. They
// are reported before the database refuses them, in the format of other faults.

import type { FieldError } from '../errors.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { InputEntry } from './parse.ts'

/** One fault per value that its column cannot hold, components included. */
export function refusals(
  refuse: NonNullable<Dialect['refuse']>,
  entry: InputEntry,
  path: readonly string[] = [],
): FieldError[] {
  const faults: FieldError[] = []
  for (const [attribute, value] of entry.scalars) {
    if (value === null || value === undefined) continue
    const fault = refuse(attribute.scalar.storage, value)
    if (fault === null) continue
    const place = [...path, attribute.name]
    faults.push({ path: place, message: `${place.join('.')} ${fault}`, name: 'ValidationError' })
  }
  for (const { attribute, items } of entry.components) {
    for (const [i, item] of items.entries()) {
      const isList = attribute.kind === 'zone' || attribute.many
      faults.push(...refusals(refuse, item, [...path, attribute.name, ...(isList ? [String(i)] : [])]))
    }
  }
  return faults
}
