// The context of resolvers, as v4 gives it to them (B-9.104), with the run of the operation.

import type { Context } from '@plinth/kernel'
import type { GraphQLResolveInfo } from 'graphql'
import type { EntryResponse } from './response.ts'
import type { Run } from './run.ts'

/** The third argument of resolvers. */
export interface GraphqlContext {
  /** Values of the request: `user`, `auth` and those of plugins. */
  readonly state: Record<string, unknown>
  /** The request, under the name that it has in v4. */
  readonly koaContext: unknown
  /** The caller, for `kernel.query(uid, context.caller)`. */
  readonly caller: Context
  /**
   * Returns the answer of a field that shows an entry of a content type: `{ data }`, with the selection of the
   * operation.
   */
  responseOf(info: GraphQLResolveInfo): EntryResponse
  /** @internal */
  readonly run: Run
}

/** The context for the resolvers of an operation. */
export function contextOf(
  run: Run,
  { context, request }: { readonly context: Context; readonly request: unknown },
): GraphqlContext {
  const { state, access } = context
  if (access.user !== null && access.user !== undefined) state.user ??= access.user
  const responseOf: GraphqlContext['responseOf'] = info => run.responseOf(info)
  return { state, koaContext: request, caller: context, responseOf, run }
}
