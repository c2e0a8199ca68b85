// Judges the values of a query that statements below its entries bind, before any statement runs: whether a value is
// refused must not depend on what is linked, of which rules may hide a part. Knows no sessions.

import type { Context } from '../context.ts'
import { located } from '../query/place.ts'
import type { RefusedParts } from '../query/refused-parts.ts'
import type { CompiledPlan, JudgedPlace } from '../sql/compile.ts'
import type { Judges } from '../sql/statement.ts'

/**
 * Judges all values when a query is prepared. Throws ValidationError with the path of the branch; with `refused`, branches
 * with such values are collected there.
 */
export function judgeValues(
  { judged }: CompiledPlan,
  values: readonly unknown[],
  context: Context,
  refused: RefusedParts | null = null,
): void {
  for (const which of ['sent', 'perRequest'] as const)
    for (const place of judged) {
      try {
        judgeAt(place, which, values, context)
      } catch (error) {
        if (refused === null) throw error
        refused.refuseOn(place.keys, error)
      }
    }
}

/** Judges the values that are computed for each request, when a query runs. Throws as `judgeValues` does. */
export function judgePerRequest(judged: readonly JudgedPlace[], values: readonly unknown[], context: Context): void {
  for (const place of judged) judgeAt(place, 'perRequest', values, context)
}

function judgeAt(
  { judges, path }: JudgedPlace,
  which: keyof Judges,
  values: readonly unknown[],
  context: Context,
): void {
  try {
    for (const judge of judges[which]) judge(values, context, null, 0)
  } catch (error) {
    throw located(error, path)
  }
}
