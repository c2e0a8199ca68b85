// The families of attributes: they say which values can be compared with each other. Knows neither rules nor users.

import type { ScalarAttribute, ScalarType } from '@plinth/kernel'

/** The family of what is compared; `any`: whatever an operator of a plugin accepts. */
export type Family = ScalarType['family'] | 'id' | 'any'

/** Returns the family of a scalar attribute. */
export function familyOf({ scalar }: ScalarAttribute): Family {
  return scalar.family
}

/** Kinds of values, by the family; only values of one kind can be compared. */
export const kinds: Readonly<Record<Family, string>> = {
  id: 'a number',
  integer: 'a number',
  number: 'a number',
  biginteger: 'a number',
  text: 'a text',
  enumeration: 'a text',
  boolean: 'true or false',
  date: 'a date',
  time: 'a time',
  datetime: 'a date and time',
  json: 'JSON',
  blocks: 'JSON',
  any: 'a value',
}
