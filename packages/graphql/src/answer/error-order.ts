// The errors of execution that an answer has, and their order. Errors come in the order in which promises settle, which
// differs from run to run; and below a null that the schema does not allow, ways of execution that stop there have
// fewer errors than those that go on. So such a null has one error, and all are in the order of their fields in the
// data.

import type { GraphQLError } from 'graphql'
import { isNullError } from '../operation/errors.ts'

type Path = readonly (string | number)[]

/** The errors to be answered with `data`, in the order of their fields. */
export function inOrder(errors: readonly GraphQLError[], data: unknown): readonly GraphQLError[] {
  if (errors.length < 2) return errors
  const sorted = [...errors].sort((a, b) => compare(a, b, data))
  /** The error that caused a null, by the path to the null. There may be thousands of both. */
  const causes = new Map<string, GraphQLError>()
  const nulls = sorted.map(error => nullAbove(error, data))
  for (const [i, error] of sorted.entries()) {
    const above = nulls[i] ?? null
    if (above !== null && isNullError(error) && !causes.has(above)) causes.set(above, error)
  }
  return sorted.filter((error, i) => (causes.get(nulls[i] ?? '') ?? error) === error)
}

/** The path to the null in which the field of an error is, as text; null if it is in none. */
function nullAbove({ path = [] }: GraphQLError, data: unknown): string | null {
  let at = data
  for (const [depth, key] of path.entries()) {
    if (at === null || at === undefined) return JSON.stringify(path.slice(0, depth))
    at = (at as Readonly<Record<string, unknown>>)[key]
  }
  return null
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
