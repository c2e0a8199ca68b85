// Which errors of execution an answer has, and their order. Errors come in the order in which promises settle, which
// differs from run to run; and below a null that the schema does not allow, ways of execution that stop there have fewer
// errors than those that go on. So such a null has one error, and all are in the order of their fields in the data.

import type { GraphQLError } from 'graphql'

type Path = readonly (string | number)[]

/** The errors to be answered with `data`, in the order of their fields. */
export function inOrder(errors: readonly GraphQLError[], data: unknown): readonly GraphQLError[] {
  if (errors.length < 2) return errors
  const sorted = [...errors].sort((a, b) => compare(a, b, data))
  return sorted.filter(one => !isBesideNull(one, { sorted, data }))
}

/** Whether a null above the field of an error has an error of its own: one of a field that must not be null. */
function isBesideNull(error: GraphQLError, { sorted, data }: { sorted: readonly GraphQLError[]; data: unknown }) {
  const depth = nullAbove(error, data)
  if (depth === null) return false
  const cause = sorted.find(one => isNullError(one) && isBelow(one, error.path!.slice(0, depth)))
  return cause !== undefined && cause !== error
}

/** The length of the path to the null in which the field of an error is; null if it is in none. */
function nullAbove({ path = [] }: GraphQLError, data: unknown): number | null {
  let at = data
  for (const [depth, key] of path.entries()) {
    if (at === null || at === undefined) return depth
    at = (at as Readonly<Record<string, unknown>>)[key]
  }
  return null
}

/** Whether a field of the schema that is never null had no value. */
export function isNullError({ message }: Error): boolean {
  return message.startsWith('Cannot return null for non-nullable field ')
}

function isBelow({ path = [] }: GraphQLError, above: Path): boolean {
  return path.length > above.length && above.every((key, i) => path[i] === key)
}

function compare(a: GraphQLError, b: GraphQLError, data: unknown): number {
  const [first, second]: readonly Path[] = [a.path ?? [], b.path ?? []]
  let parent = data
  for (let at = 0; at < first!.length && at < second!.length; at++) {
    const [one, other] = [first![at]!, second![at]!]
    if (one !== other) return compareKeys(one, other, parent) || comparePlaces(a, b)
    parent = (parent as Readonly<Record<string, unknown>> | null | undefined)?.[one]
  }
  return first!.length - second!.length || comparePlaces(a, b)
}

/** Compares two keys of one object or list. They are equal if the data does not show them, as below a null. */
function compareKeys(one: string | number, other: string | number, parent: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof parent !== 'object' || parent === null) return 0
  const keys = Object.keys(parent)
  return keys.indexOf(String(one)) - keys.indexOf(String(other))
}

/** Compares where fields are in the text. */
function comparePlaces({ locations: [a] = [] }: GraphQLError, { locations: [b] = [] }: GraphQLError): number {
  if (a === undefined || b === undefined) return 0
  return a.line - b.line || a.column - b.column
}
