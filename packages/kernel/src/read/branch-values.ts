// Checks the values of a query that statements below its entries bind, before any statement runs: whether a value is
// refused must not depend on what is linked, of which rules may hide a part. Knows no sessions.

import type { Context } from '../context.ts'
import { located } from '../query/place.ts'
import type { RefusedParts } from '../query/refused-parts.ts'
import type { CheckedPlace, CompiledPlan } from '../sql/compile.ts'
import type { ValueChecks } from '../sql/statement.ts'

/**
 * Checks all values when a query is prepared. Throws ValidationError with the path of the branch; with `refused`, branches
 * with such values are collected there.
 */
export function checkValues(
  { checkedPlaces }: CompiledPlan,
  values: readonly unknown[],
  context: Context,
  refused: RefusedParts | null = null,
): void {
  for (const which of ['sent', 'perRequest'] as const)
    for (const place of checkedPlaces) {
      try {
        checkAt(place, which, values, context)
      } catch (error) {
        if (refused === null) throw error
        refused.refuseOn(place.keys, error)
      }
    }
}

/** Checks the values that are computed for each request, when a query runs. Throws as `checkValues` does. */
export function checkPerRequest(places: readonly CheckedPlace[], values: readonly unknown[], context: Context): void {
  for (const place of places) checkAt(place, 'perRequest', values, context)
}

function checkAt(
  { valueChecks, path }: CheckedPlace,
  which: keyof ValueChecks,
  values: readonly unknown[],
  context: Context,
): void {
  try {
    for (const check of valueChecks[which]) check(values, context, null, 0)
  } catch (error) {
    throw located(error, path)
  }
}
