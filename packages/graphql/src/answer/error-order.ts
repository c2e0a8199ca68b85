// The order of the errors of an answer: that of their fields in the data. Errors come in the order in which promises
// settle, which differs from run to run and between ways of execution.

import type { GraphQLError } from 'graphql'

type Path = readonly (string | number)[]

/** The errors in the order of their fields in `data`. */
export function inOrder(errors: readonly GraphQLError[], data: unknown): readonly GraphQLError[] {
  return errors.length < 2 ? errors : [...errors].sort((a, b) => compare(a, b, data))
}

function compare(a: GraphQLError, b: GraphQLError, data: unknown): number {
  const [first, second]: readonly Path[] = [a.path ?? [], b.path ?? []]
  let parent = data
  for (let at = 0; at < first!.length && at < second!.length; at++) {
    const [one, other] = [first![at]!, second![at]!]
    if (one !== other) return compareKeys(one, other, parent) || placeOf(a) - placeOf(b)
    parent = (parent as Readonly<Record<string, unknown>> | null | undefined)?.[one]
  }
  return first!.length - second!.length || placeOf(a) - placeOf(b)
}

/** Compares two keys of one object or list. They are equal if the data does not show them, as below a null. */
function compareKeys(one: string | number, other: string | number, parent: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof parent !== 'object' || parent === null) return 0
  const keys = Object.keys(parent)
  return keys.indexOf(String(one)) - keys.indexOf(String(other))
}

/** Where a field is in the text. */
function placeOf({ positions }: GraphQLError): number {
  return positions?.[0] ?? 0
}
