// Lets code allow a query more nodes than callers may ask for. Under a symbol, because clients cannot send one.

const allowed = Symbol('plinth.maxCost')

/**
 * The same parameters, which may visit up to `maxCost` content types and components even if that is more than the limit
 * of callers. For a transport that has made the populate itself from the model, and limits it.
 */
export function withMaxCost(
  params: Readonly<Record<string, unknown>>,
  maxCost: number,
): Readonly<Record<string, unknown>> {
  return { ...params, [allowed]: maxCost }
}

/** Returns the number of nodes that `withMaxCost` allows; null without it. */
export function maxCostOf(params: { readonly [allowed]?: number }): number | null {
  return params[allowed] ?? null
}
