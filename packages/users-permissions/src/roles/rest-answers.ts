// What answers of REST leave out: the users of a role (B-6.54). GraphQL and code show them.

import type { Access, Context, Kernel, PlanDraft } from '@plinth/kernel'
import { roleUid } from './types.ts'

/** The rights of a caller whom a route of this plugin answers, which is not one of the routes of content types. */
interface RestAccess extends Access {
  readonly isAnsweredByRest: true
}

/** The context of a request to a route of this plugin. */
export function answeredByRest(context: Context): Context {
  const { access } = context
  const own: RestAccess = { ...access, key: `${access.key} by REST`, isAnsweredByRest: true }
  return { ...context, access: own }
}

/** The `prePlan` hook of users: they are not populated through a role. Filters may follow the relation. */
export function dropUsersOfRoles(
  { contentTypes }: Pick<Kernel, 'contentTypes'>,
  draft: PlanDraft,
  access: Access,
): void {
  if (draft.via !== 'populate' || draft.through !== contentTypes.get(roleUid)?.attributes.get('users')) return
  // Of the transports, only REST has a `meta` of entries, also where its settings leave it out.
  if (draft.query.meta || (access as Partial<RestAccess>).isAnsweredByRest === true) draft.drop()
}
