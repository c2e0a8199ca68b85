// From what was read to what is shut and what is served: the guards of built-in actions, and what routers say of them
// without code.

import { userPolicy } from './changed-parts.ts'
import type { Code, Guard, Operation, Route, Router, RouteUse, TypeOfProject } from './model.ts'
import { covers } from './patterns.ts'
import { pluginActions } from './plugin-actions.ts'
import type { RoutesOfProject } from './routes.ts'
import type { WideGuard } from './start.ts'
import { coreRoutes, operationsOf } from './types.ts'

/** The parts of a project that were read. */
export interface ProjectParts {
  readonly types: readonly TypeOfProject[]
  readonly routes: RoutesOfProject
  readonly controllers: readonly Code[]
  readonly services: readonly Code[]
  readonly wide: readonly WideGuard[]
  /** True if code replaces the policy by which a caller must be a user. */
  readonly replacesUserPolicy: boolean
}

export function guardsOf(read: ProjectParts): {
  readonly guards: readonly Guard[]
  readonly routers: readonly Router[]
} {
  const { types } = read
  const guards = types.flatMap(type => [
    ...operationsOf(type).flatMap(operation => routeGuards(type, operation, read)),
    ...codeGuards(type, read),
  ])
  const all = [...guards, ...spread(read)]
  const routers = types.filter(type => isRouted(type, read)).map(type => routerOf(type, read, all))
  return { guards: all, routers }
}

/**
 * Returns whether v4 has actions of the type, so that its routers say which of them are served. A type that is a schema
 * alone has no actions in v4, and nobody has a right to them.
 */
function isRouted({ uid }: TypeOfProject, { routes, controllers }: ProjectParts): boolean {
  const isOwn = (action: string | null) => action?.startsWith(`${uid}.`) === true
  return routes.hasRoutes && (controllers.some(one => one.uid === uid) || routes.routes.some(one => isOwn(one.action)))
}

/** The guards that concern several actions, one for each of them. */
function spread({ types, wide }: ProjectParts): readonly Guard[] {
  return wide.flatMap(guard => {
    const { action } = guard
    const prefix = action.slice(0, -1)
    const own = types.flatMap(type => [
      ...operationsOf(type).map(operation => `${type.uid}.${operation}`),
      // The route of translations has an action of its own.
      ...(type.isLocalized ? [`${type.uid}.createLocalization`] : []),
    ])
    const met = own.filter(one => (action.endsWith('*') ? one.startsWith(prefix) : one === action))
    return [...met, ...pluginActions(action)].map(one => ({ ...guard, action: one }))
  })
}

/** The routes of an action that no other route stands before. */
function routesTo(action: string, { routes }: ProjectParts): readonly Route[] {
  return routes.routes.filter(
    (route, i) => route.action === action && winner(routes.routes.slice(0, i + 1), route) === route,
  )
}

const winner = (routes: readonly Route[], target: { readonly method: string; readonly path: string }) =>
  routes.find(one => covers(one, target))

function routeGuards(type: TypeOfProject, operation: Operation, read: ProjectParts): readonly Guard[] {
  const action = `${type.uid}.${operation}`
  const own = routesTo(action, read)
  const shadowed = placesOf(type, operation, read.routes.routes).flatMap(place => {
    const route = winner(read.routes.routes, place)
    if (route === undefined || route.action === action) return []
    const by = route.action ?? 'a function'
    return [guardOf(action, route, 'route', `${by} answers ${place.method} ${place.path} in its place`)]
  })
  const faults = read.routes.faults
    .filter(one => one.uid === type.uid || (one.uid === null && one.api === type.api))
    .map(one => guardOf(action, one, 'unread', one.why))
  const scopes = own.flatMap(route =>
    missingScopes(route.auth, read.types).map(name =>
      guardOf(action, route, 'route', `its auth.scope names ${name}, an action of code that is not run`),
    ),
  )
  return [...own.flatMap(route => usesGuards(action, route, read)), ...scopes, ...shadowed, ...faults]
}

/** The names in `auth.scope` that are not built-in actions: nobody has a right to them. */
function missingScopes(auth: Route['auth'], types: readonly TypeOfProject[]): readonly string[] {
  if (typeof auth === 'string') return []
  const isBuiltIn = (name: string) =>
    pluginActions(name).length > 0 ||
    types.some(type => operationsOf(type).some(operation => name === `${type.uid}.${operation}`))
  return auth.scope.filter(name => !isBuiltIn(name))
}

/** Lists where Plinth would serve an action: the place of v4's core router, and those of the routes that name it. */
function placesOf(type: TypeOfProject, operation: Operation, routes: readonly Route[]) {
  const namingRoutes = routes.filter(({ action }) => action === `${type.uid}.${operation}`)
  return [...coreRoutes(type).filter(one => one.operation === operation), ...namingRoutes]
}

type At = { readonly file: string; readonly line: number }

const guardOf = (action: string, { file, line }: At, kind: Guard['kind'], why: string): Guard => ({
  action,
  file,
  line,
  kind,
  why,
  shuts: 'all',
})

const nameOf = ({ name }: RouteUse, what: string) => (name === null ? `a ${what} in place` : `the ${what} ${name}`)

function usesGuards(action: string, route: Route, { replacesUserPolicy }: ProjectParts): readonly Guard[] {
  const policies = route.policies.filter(({ name }) => name !== userPolicy || replacesUserPolicy)
  return [
    ...policies.map(one => guardOf(action, route, 'policy', `${nameOf(one, 'policy')} is not run`)),
    ...route.middlewares.map(one => guardOf(action, route, 'middleware', `${nameOf(one, 'middleware')} is not run`)),
    ...(route.auth === 'unknown' ? [guardOf(action, route, 'unread', 'its auth could not be read')] : []),
  ]
}

/** The methods of a controller that core actions call: whoever replaces one, changes all of them (B-13.52). */
const inside = /^(?:sanitize(?:Output|Query|Input)|validate(?:Query|Input)|transformResponse)$/

function codeGuards(type: TypeOfProject, { controllers, services }: ProjectParts): readonly Guard[] {
  const all = operationsOf(type)
  const met = (code: Code, kind: 'controller' | 'service'): readonly Guard[] => {
    const guard = (operation: Operation, why: string, line = 0) =>
      guardOf(`${type.uid}.${operation}`, { file: code.file, line }, kind, why)
    const isOther = code.base !== null && code.base !== type.uid
    const fault = isOther ? `its ${kind} is made of ${code.base}` : code.fault
    const whole = fault === null ? [] : all.map(one => guard(one, `the ${kind} could not be read: ${fault}`))
    const replaced = code.methods.flatMap(({ name, line }) =>
      replacedBy(name, kind, all).map(one => guard(one, `the ${kind} replaces ${name}`, line)),
    )
    return [...whole, ...replaced]
  }
  const isOf = ({ uid }: Code) => uid === type.uid
  return [
    ...controllers.filter(isOf).flatMap(one => met(one, 'controller')),
    ...services.filter(isOf).flatMap(one => met(one, 'service')),
  ]
}

function replacedBy(name: string, kind: 'controller' | 'service', all: readonly Operation[]): readonly Operation[] {
  if (kind === 'controller' && inside.test(name)) return all
  if (kind === 'service' && name === 'createOrUpdate') return all.filter(one => one === 'update')
  if (kind === 'service' && name === 'getFetchParams') return all
  return all.filter(one => one === name)
}

/** Guards that stand where v4 may have another route, or one that could not be read. */
const isOfRoutes = ({ kind, file }: Guard) => kind === 'route' || (kind === 'unread' && file.includes('/routes/'))

/** Returns what routers say of a type; guarded actions are served where they stand, so that they answer 403 there. */
function routerOf(type: TypeOfProject, read: ProjectParts, guards: readonly Guard[]): Router {
  const routes = operationsOf(type).flatMap(operation => {
    const action = `${type.uid}.${operation}`
    const isShut = guards.some(one => one.action === action && isOfRoutes(one))
    const own = routesTo(action, read).map(({ method, path }) => ({ method, path, operation }))
    return own.length > 0 || !isShut ? own : coreRoutes(type).filter(one => one.operation === operation)
  })
  const auth: Partial<Record<Operation, Exclude<Route['auth'], 'usual' | 'unknown'>>> = {}
  const userOperations: Operation[] = []
  for (const operation of operationsOf(type)) {
    const [first, ...others] = routesTo(`${type.uid}.${operation}`, read)
    if (first === undefined) continue
    // Of several routes with different settings, the usual right is asked for.
    const isSame = others.every(one => JSON.stringify(one.auth) === JSON.stringify(first.auth))
    const isKnown = missingScopes(first.auth, read.types).length === 0
    if (isSame && isKnown && first.auth !== 'usual' && first.auth !== 'unknown') auth[operation] = first.auth
    if ([first, ...others].some(({ policies }) => policies.some(({ name }) => name === userPolicy)))
      userOperations.push(operation)
  }
  return { uid: type.uid, routes, auth, needsUser: userOperations }
}
