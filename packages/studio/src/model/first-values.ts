// The values with which a form begins.

import type { Attribute, ContentType, Entry } from './types.ts'

type Values = Record<string, unknown>

/** The values of a stored entry, or those of a new one. A value that is not answered is undefined. */
export function firstValues({ attributes }: ContentType, entry: Entry | null): Values {
  return Object.fromEntries(
    attributes.map(attribute => [
      attribute.name,
      entry === null ? emptyValue(attribute) : storedValue(attribute, entry),
    ]),
  )
}

const storedValue = ({ name, isPrivate }: Attribute, entry: Entry): unknown =>
  isPrivate ? undefined : (entry[name] ?? null)

/** The value of a new entry: the default of the schema, an empty list, or null. */
export function emptyValue({ type, isPrivate, options }: Attribute): unknown {
  if (isPrivate) return undefined
  if (options.default !== undefined) return options.default
  if (type === 'dynamiczone' || (type === 'component' && options.repeatable === true)) return []
  if (type === 'media' && options.multiple === true) return []
  if (type === 'relation') return /(?:ToMany|manyWay|morphMany)$/.test(String(options.relation)) ? [] : null
  return null
}

/** The values of a new component. */
export const emptyValues = (attributes: readonly Attribute[]): Values =>
  Object.fromEntries(attributes.map(attribute => [attribute.name, emptyValue(attribute)]))
