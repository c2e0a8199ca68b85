// Parses the `fields` clause (B-2.50 to B-2.55).

import { ValidationError } from '../errors.ts'
import { asList, type ShapeBuilder } from './shape.ts'

/** The named fields, or null for all of them. Throws ValidationError. */
export function parseFields(writer: ShapeBuilder, value: unknown, path: string): readonly string[] | null {
  if (value === undefined) return null
  const list = asList(value)
  const names = Array.isArray(list) ? list : [list]
  if (names.length === 1 && names[0] === '')
    throw new ValidationError(`Invalid parameter ${path}: it is empty`, { path })
  const fields: string[] = []
  for (const name of names) {
    // `fields[]` without "=" is an empty list: entries without attributes.
    if (name === null || name === undefined) continue
    if (typeof name !== 'string')
      throw new ValidationError(`Invalid parameter ${path}: expected names of attributes`, { path })
    fields.push(name)
  }
  // With other names, `*` stays in the list, because the other names must still be checked.
  if (fields.length > 0 && fields.every(field => field === '*')) return null
  writer.mark('|fields')
  for (const field of fields) writer.name(field, path)
  return fields
}
