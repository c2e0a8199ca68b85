// Lets code allow a query more nodes than callers may ask for. Under a symbol, because clients cannot send one.

import type { Params } from './parse.ts'

const allowed = Symbol('plinth.maxCost')

/**
 * The same parameters, which may visit up to `maxCost` content types and components even if that is more than the limit of
 * callers. For a transport that has made the populate itself from the model, and limits it.
 */
export function withMaxCost(params: Params, maxCost: number): Params {
  return { ...params, [allowed]: maxCost }
}

/** What `withMaxCost` allows; null without it. */
export function maxCostOf(params: Params & { readonly [allowed]?: number }): number | null {
  return params[allowed] ?? null
}
