// The policies by which the kernel keeps an action shut, or asks what GraphQL asks in v4.

import { ForbiddenError, type PolicyContext, type PolicyHandler } from '@plinth/kernel'
import type { ShutAction } from './shut.ts'

/** Refuses everybody; in GraphQL alone if only that is shut. */
export const refuse =
  ({ inGraphqlOnly }: ShutAction): PolicyHandler =>
  ({ type }: PolicyContext) => {
    if (!inGraphqlOnly || type === 'graphql') throw new ForbiddenError()
  }

/** `auth` of a route does not concern GraphQL, where a caller needs the right to the action itself. */
export const askInGraphql =
  (action: string): PolicyHandler =>
  ({ type, caller }: PolicyContext) => {
    if (type === 'graphql' && !caller.access.can(action)) throw new ForbiddenError()
  }

/** Refuses callers who have not logged in as a user, but not in GraphQL, which v4 does not guard by routes. */
export const askForUser: PolicyHandler = ({ type, caller }: PolicyContext) => {
  const { user } = caller.access
  if (type !== 'graphql' && (user === null || user === undefined)) throw new ForbiddenError()
}
