// Prepares queries of which the caller may not ask every part (`isPartial`): parsing, planning and the check of values
// report what they refuse, and the query is prepared without it. Knows no transport.

import type { Context } from '../context.ts'
import type { Action } from '../query/query.ts'
import { type RefusedPart, RefusedParts } from '../query/refused-parts.ts'
import { removeParts } from '../query/remove-parts.ts'
import type { ReadRequest } from '../query/request.ts'
import type { PreparedQuery } from '../result/execution.ts'
import type { Engine } from './engine.ts'

/** A query, and the parts that it lacks. */
interface AllowedQuery<A extends Action> {
  readonly prepared: PreparedQuery
  /** The request with what is left of its parameters. */
  readonly request: ReadRequest<A>
  readonly refused: readonly RefusedPart[]
}

/** The refused parts of a query that has none. */
export const noParts: readonly RefusedPart[] = []

/** Prepares a query, without its refused parts if the request is partial. Throws all other errors. */
export function prepareAllowed<A extends Action>(
  engine: Engine,
  request: ReadRequest<A>,
  context: Context,
): AllowedQuery<A> {
  if (request.isPartial !== true) return { prepared: engine.prepare(request, context), request, refused: noParts }
  const refused: RefusedPart[] = []
  let left = request
  for (;;) {
    const parts = new RefusedParts()
    const prepared = engine.prepareParts(left, context, parts)
    if (prepared !== null) return { prepared, request: left, refused }
    left = { ...left, params: removeParts(left.params, parts) }
    refused.push(...parts.parts)
  }
}
