// Leaves the users of a role out of answers of REST (B-6.54). GraphQL and code show them.

import type { Access, Context, Kernel, PlanDraft } from '@plinth/kernel'
import { roleUid } from './types.ts'

declare module '@plinth/kernel' {
  interface Access {
    /** True if a route of the plugin users-permissions answers, which is not one of the routes of content types. */
    readonly isAnsweredByRest?: boolean
  }
}

/** The context of a request to a route of this plugin. */
export function answeredByRest(context: Context): Context {
  const { access } = context
  return { ...context, access: { ...access, key: `${access.key} by REST`, isAnsweredByRest: true } }
}

/** The `prePlan` hook of users: they are not populated through a role. Filters may follow the relation. */
export function dropUsersOfRoles(
  { contentTypes }: Pick<Kernel, 'contentTypes'>,
  draft: PlanDraft,
  access: Access,
): void {
  if (draft.via !== 'populate' || draft.through !== contentTypes.get(roleUid)?.attributes.get('users')) return
  // Of the transports, only REST has a `meta` of entries, also where its settings leave it out.
  if (draft.query.meta || access.isAnsweredByRest) draft.drop()
}
