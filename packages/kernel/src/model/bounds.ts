// Checks bounds: `min` and `max` of numbers and lists, `minLength` and `maxLength` of texts (B-10.10, B-10.13, B-10.16,
// B-10.17). v4's validator accepts numbers written as text, so they are parsed here.

import { scalarTypes } from './attribute-types.ts'
import type { AttributeDefinition } from './content-type.ts'
import type { Fail } from './fault-list.ts'

const pairs = [
  ['min', 'max'],
  ['minLength', 'maxLength'],
] as const

/** Types whose values are neither counted nor compared, so their bounds are not used. */
const unbounded = ['enumeration', 'boolean', 'date', 'time', 'datetime', 'json', 'blocks']

/**
 * Checks bounds: an unreadable bound would not be enforced, and a pair that no value satisfies would refuse every
 * write.
 */
export function checkBounds(definition: AttributeDefinition, fail: Fail): void {
  const family = scalarTypes[definition.type]?.family
  if (family !== undefined && unbounded.includes(family)) return
  for (const pair of pairs) {
    const [least, most] = pair.map(option => {
      const bound = readBound(definition[option])
      if (Number.isNaN(bound)) fail(option, 'must be a number')
      return bound
    })
    if (least != null && most != null && least > most)
      fail(pair[0], `must not be greater than ${pair[1]}, which is ${most}, found ${least}`)
  }
}

/**
 * The definition with its bounds as numbers. Those of a biginteger are not converted, since they may be too large for a
 * number.
 */
export function withBounds(definition: AttributeDefinition): AttributeDefinition {
  const written = pairs.flat().filter(option => typeof definition[option] === 'string')
  if (written.length === 0 || definition.type === 'biginteger') return definition
  const read = written.map(option => [option, readBound(definition[option])] as const)
  return { ...definition, ...Object.fromEntries(read.filter(([, bound]) => !Number.isNaN(bound))) }
}

/** Null if there is no bound, NaN if it is not a number. */
export function readBound(value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN
  if (typeof value !== 'string') return Number.NaN
  if (value.trim() === '') return null
  return Number.isFinite(Number(value)) ? Number(value) : Number.NaN
}
