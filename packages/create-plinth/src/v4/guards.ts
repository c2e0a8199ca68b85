// Keeps the guards of a v4 project, whose code the application does not have: the settings of the plugin v4, and
// the list of shut actions. Reads the project as syntax.

import {
  coreRoutes,
  type GuardedAction,
  guardedActions,
  type Router,
  reasonsOf,
  type V4Project,
} from '@plinth/v4/project'
import type { PluginName } from '../choices.ts'

/** The guards after the move. */
export interface Guards {
  /** The entry for config/plugins, without indentation; null if there is nothing to say. */
  readonly entry: string | null
  /** One line for each action that is shut. */
  readonly lines: readonly string[]
}

export function guardsIn(project: V4Project, enabled: readonly PluginName[]): Guards {
  const isThere = ({ action }: GuardedAction) => {
    const [, own] = /^plugin::([^.]+)\./.exec(action) ?? []
    const plugin = action.endsWith('.createLocalization') ? 'i18n' : own
    return plugin === undefined || enabled.some(one => one === plugin)
  }
  const shut = guardedActions(project).filter(isThere)
  const routers = routerEntries(project)
  if (shut.length === 0 && routers.length === 0) return { entry: null, lines: [] }
  const parts = [
    ...shutEntries(
      shut.filter(one => !one.inGraphqlOnly),
      'shut',
      shutComment,
    ),
    ...shutEntries(
      shut.filter(one => one.inGraphqlOnly),
      'shutInGraphql',
      graphqlComment,
    ),
    ...(shut.length === 0 ? [] : unguardedEntries(shut)),
    ...routers,
  ]
  return {
    entry: ['v4: {', '  config: {', ...parts.map(one => `    ${one}`), '  },', '},'].join('\n'),
    lines: shut.map(lineOf),
  }
}

const shutComment = [
  '// Built-in actions that code of the v4 project guarded or replaced. That code is not here, so they answer 403 in REST and',
  '// GraphQL. v4 did not guard GraphQL by routes: one line of `unguarded` opens both.',
]
const graphqlComment = ['// Operations that code of the v4 project switched off or guarded in GraphQL alone.']

const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', ' ')}'`

function shutEntries(shut: readonly GuardedAction[], key: string, comment: readonly string[]): readonly string[] {
  if (shut.length === 0) return []
  const lines = shut.map(one => `  ${quoted(one.action)}: ${quoted(reasonsOf(one.guards).join('; '))},`)
  return [...comment, `${key}: {`, ...lines, '},']
}

/** The reasons stand in comments, so they must end with their line. */
function unguardedEntries(shut: readonly GuardedAction[]): readonly string[] {
  const lines = shut.map(
    one => `  // ${quoted(one.action)}, // ${placeOf(one)}${reasonsOf(one.guards).join('; ').replaceAll(/\s+/g, ' ')}`,
  )
  return [
    '// A line opens its action when it is not a comment any more: first write the rule again, by kernel.actions.set in src/index.',
    'unguarded: [',
    ...lines,
    '],',
  ]
}

const placeOf = ({ route }: GuardedAction) => (route === null ? '' : `${route.method} ${route.path}, `)

/** `PUT /notes/:id (api::note.note.update): src/api/note/routes/note.js:5: the policy is-owner is not run` */
function lineOf(one: GuardedAction): string {
  const { action, route, inGraphqlOnly, guards, shownBy } = one
  const place = inGraphqlOnly ? 'GraphQL' : route === null ? 'no route' : `${route.method} ${route.path}`
  const populateNote = shownBy.length === 0 ? '' : `. A populate of ${shownBy.join(', ')} still shows entries, as in v4`
  return `${place} (${action}): ${reasonsOf(guards).join('; ')}${populateNote}`
}

/** The routers that say something else than those of v4's generator. */
function routerEntries({ routers, types }: V4Project): readonly string[] {
  const entries = routers.flatMap(router => {
    const type = types.find(one => one.uid === router.uid)
    const text = type === undefined ? null : routerText(router, placesOf(coreRoutes(type)))
    return text === null ? [] : [`  ${quoted(router.uid)}: ${text},`]
  })
  if (entries.length === 0) return []
  return [
    '// Settings of routers of the v4 project without code. REST serves no other action of these types.',
    'routers: {',
    ...entries,
    '},',
  ]
}

const placesOf = (routes: Router['routes']) =>
  routes.map(one => `${one.operation} ${one.method} ${one.path}`).join('\n')

function routerText({ routes, auth, needsUser }: Router, usual: string): string | null {
  const byOperation = Map.groupBy(routes, ({ operation }) => operation)
  const lists = [...byOperation].map(([operation, own]) => {
    const places = own.map(({ method, path }) => quoted(`${method} ${path}`))
    return `${operation}: [${places.join(', ')}]`
  })
  const rules = Object.entries(auth).map(([operation, rule]) => {
    const text = rule === 'none' ? 'false' : `{ scope: [${rule.scope.map(quoted).join(', ')}] }`
    return `${operation}: ${text}`
  })
  const parts = [
    ...(placesOf(routes) === usual ? [] : [`routes: { ${lists.join(', ')} }`]),
    ...(rules.length === 0 ? [] : [`auth: { ${rules.join(', ')} }`]),
    ...(needsUser.length === 0 ? [] : [`needsUser: [${needsUser.map(quoted).join(', ')}]`]),
  ]
  return parts.length === 0 ? null : `{ ${parts.join(', ').replaceAll('{  }', '{}')} }`
}
