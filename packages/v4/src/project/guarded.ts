// The guarded actions of a project for people: each once, with its route, what stands before it, and what still shows
// its entries.

import type { Guard, V4Project } from './model.ts'
import { pluginRoutes } from './plugin-actions.ts'
import { coreRoutes } from './types.ts'

/** A built-in action that code of a project guards or replaces. */
export interface GuardedAction {
  readonly action: string
  /** Null if REST of v4 does not serve it. The path is below the prefix of the API. */
  readonly route: { readonly method: string; readonly path: string } | null
  /** True if only the answers of GraphQL are guarded. */
  readonly inGraphqlOnly: boolean
  readonly guards: readonly Guard[]
  /**
   * Of a replaced `find` or `findOne`: the relations of other types through which a populate still shows the entries.
   */
  readonly shownBy: readonly string[]
}

/** The guarded actions of a project, in the order of its types. */
export function guardedActions(project: V4Project): readonly GuardedAction[] {
  const byAction = Map.groupBy(project.guards, ({ action }) => action)
  return [...byAction].map(([action, guards]) => ({
    action,
    route: routeOf(action, project),
    inGraphqlOnly: guards.every(({ shuts }) => shuts === 'graphql'),
    guards,
    shownBy: guards.some(({ shuts }) => shuts === 'all') ? relationsTo(action, project) : [],
  }))
}

/** Returns what stands before an action: `src/api/note/routes/note.js:5: the policy is-owner is not run`, each once. */
export function reasonsOf(guards: readonly Guard[]): readonly string[] {
  const reasons = guards.map(({ file, line, why }) => `${file}${line === 0 ? '' : `:${line}`}: ${why}`)
  return [...new Set(reasons)]
}

function routeOf(action: string, { routers, types }: V4Project): GuardedAction['route'] {
  const ofPlugin = pluginRoutes.find(one => one.action === action)
  if (ofPlugin !== undefined) return ofPlugin
  const [uid, operation] = [action.slice(0, action.lastIndexOf('.')), action.slice(action.lastIndexOf('.') + 1)]
  const type = types.find(one => one.uid === uid)
  if (type === undefined) return null
  const routes = routers.find(one => one.uid === uid)?.routes ?? coreRoutes(type)
  return routes.find(one => one.operation === operation) ?? null
}

/** The relations to the type of an action that reads, as `api::page.page.note`. */
function relationsTo(action: string, { types }: V4Project): readonly string[] {
  const [, uid] = /^(.+)\.find(?:One)?$/.exec(action) ?? []
  if (uid === undefined) return []
  return types.flatMap(type =>
    type.relations.filter(({ target }) => target === uid).map(({ attribute }) => `${type.uid}.${attribute}`),
  )
}
