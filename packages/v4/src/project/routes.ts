// The routes of `src/api` in the order in which v4 tries them (B-13.26 to B-13.29): those that createCoreRouter makes,
// those of lists, those of JSON files. A file that could not be read gives no routes, and a fault.

import type { SourceModule } from '../syntax/module.ts'
import { lineOf } from '../syntax/tree.ts'
import { type FactoryValue, isNothing, memberOf, textOf, textsOf, type Value } from '../syntax/values.ts'
import { addedRoutes } from './added-routes.ts'
import { mixedRouter } from './mixed-router.ts'
import type { FileFault, Operation, Route, RouteAuth, RouteUse, TypeOfProject } from './model.ts'
import type { Sources } from './sources.ts'
import { strapiChains } from './strapi-chains.ts'
import { coreRoutes, operationsOf } from './types.ts'

/** A file of routes of an API that could only be read in part. */
export interface RouteFault extends FileFault {
  readonly api: string
  /** The type that it concerns; null if it may concern all types of the API. */
  readonly uid: string | null
}

export interface RoutesOfProject {
  readonly routes: readonly Route[]
  readonly faults: readonly RouteFault[]
  /** True if the project has files of routes at all. */
  readonly hasRoutes: boolean
}

/** The place of a file. */
interface RouteFile {
  readonly api: string
  readonly path: string
  readonly types: readonly TypeOfProject[]
  readonly routes: Route[]
  readonly faults: RouteFault[]
}

export function routesOf(sources: Sources, types: readonly TypeOfProject[]): RoutesOfProject {
  const routes: Route[] = []
  const faults: RouteFault[] = []
  let hasRoutes = false
  // Routes that code adds when v4 starts stand before those of the APIs.
  routes.push(...startRoutes(sources))
  for (const api of sources.folders('src/api'))
    for (const { path } of sources.files(`src/api/${api}/routes`)) {
      hasRoutes = true
      // Of other endings v4 reads nothing (B-13.3).
      if (/\.[cm][jt]s$/.test(path)) continue
      const file: RouteFile = { api, path, types, routes, faults }
      const module = sources.module(path)
      if (module === null) fail(file, 'it cannot be parsed', 0)
      else readRouter(module.exported(), module, file)
    }
  return { routes, faults, hasRoutes }
}

/** The routes of `strapi.server.routes` below the prefix of the API, as far as they can be read. */
function startRoutes(sources: Sources): readonly Route[] {
  return strapiChains(sources).flatMap(({ chain: { steps, node }, module }) => {
    const [server, routes] = steps
    if (server?.name !== 'server' || routes?.name !== 'routes' || routes.args === null) return []
    const place = { api: '', file: module.path, line: lineOf(node), action: null, isCore: false }
    const added = addedRoutes(routes.args, module, sources) ?? []
    return added.map(({ method, path, item }) => ({ ...place, method, path, ...configOf(memberOf(item, 'config')) }))
  })
}

function fail({ api, path, faults }: RouteFile, why: string, line: number, uid: string | null = null): void {
  faults.push({ api, file: path, line, why, uid })
}

function readRouter(value: Value, module: SourceModule, file: RouteFile): void {
  const list = value.kind === 'list' ? value : memberOf(value, 'routes')
  if (value.kind === 'factory' && value.factory === 'createCoreRouter') readCore(value, file)
  else if (list?.kind === 'list') readList(list, file)
  else {
    const parts = mixedRouter(module)
    const why = value.kind === 'unknown' ? value.why : 'it exports no router that could be read'
    if (parts === null) fail(file, why, lineIn(value))
    else for (const part of parts) readRouter(part, module, file)
  }
}

const lineIn = (value: Value) => (value.kind === 'unknown' && value.node !== null ? lineOf(value.node) : 0)

function readList(list: Extract<Value, { kind: 'list' }>, file: RouteFile): void {
  if (!list.isWhole) fail(file, 'its list has routes that only running it could tell', 0)
  for (const item of list.items) {
    const method = textOf(memberOf(item, 'method'))
    const path = textOf(memberOf(item, 'path'))
    if (method === null || path === null) fail(file, 'it has a route whose method or path could not be read', 0)
    else
      file.routes.push({
        api: file.api,
        file: file.path,
        line: 0,
        method: method.trim().toUpperCase(),
        path,
        action: actionOf(memberOf(item, 'handler'), file.api),
        isCore: false,
        ...configOf(memberOf(item, 'config')),
      })
  }
}

/** The action that a handler names: `controller.action` of the same API, or in full (B-13.28). */
function actionOf(handler: Value | undefined, api: string): string | null {
  const text = textOf(handler)
  if (text === null) return null
  return text.includes('::') ? text : `api::${api}.${text}`
}

function readCore({ args: [first, options], node }: FactoryValue, file: RouteFile): void {
  const line = lineOf(node)
  const uid = textOf(first)
  const type = file.types.find(one => one.uid === uid)
  if (uid === null || type === undefined) {
    const why = uid === null ? 'could not be read' : `${uid} is not in the project`
    fail(file, `the type of its router ${why}`, line)
    return
  }
  const chosen = isNothing(options) ? new Set(operationsOf(type)) : chosenBy(options!, type)
  const prefix = isNothing(memberOf(options, 'prefix')) ? '' : textOf(memberOf(options, 'prefix'))
  if (chosen === null || prefix === null) {
    fail(file, 'the settings of its router could not be read', line, uid)
    return
  }
  const config = memberOf(options, 'config')
  const isRead = config === undefined || isNothing(config) || (config.kind === 'object' && config.isWhole)
  if (!isRead) fail(file, 'the config of its router could not be read', line, uid)
  for (const { operation, method, path } of coreRoutes(type, prefix))
    if (chosen.has(operation))
      file.routes.push({
        api: file.api,
        file: file.path,
        line,
        method,
        path,
        action: `${uid}.${operation}`,
        isCore: true,
        ...configOf(memberOf(config, operation)),
      })
}

/** The actions that `only` and `except` leave; null if they could not be read. */
function chosenBy(options: Value, type: TypeOfProject): ReadonlySet<Operation> | null {
  if (options.kind !== 'object' || !options.isWhole) return null
  const [only, except] = [namesIn(memberOf(options, 'only')), namesIn(memberOf(options, 'except'))]
  if (only === 'unread' || except === 'unread') return null
  // v4 does both, one after the other.
  const isLeft = (one: Operation) => (only === null || only.includes(one)) && !except?.includes(one)
  return new Set(operationsOf(type).filter(isLeft))
}

/** The names of a list, or one name; null if nothing is there. */
function namesIn(value: Value | undefined): readonly string[] | null | 'unread' {
  if (isNothing(value)) return null
  const name = textOf(value)
  return name === null ? (textsOf(value) ?? 'unread') : [name]
}

const unread: RouteUse = { name: null }

/** Returns what the config of a route says. What could not be read counts as a policy without a name. */
export function configOf(config: Value | undefined): Pick<Route, 'auth' | 'policies' | 'middlewares'> {
  if (isNothing(config)) return { auth: 'usual', policies: [], middlewares: [] }
  if (config!.kind !== 'object' || !config!.isWhole) return { auth: 'unknown', policies: [unread], middlewares: [] }
  return {
    auth: authOf(memberOf(config, 'auth')),
    policies: usesOf(memberOf(config, 'policies')),
    middlewares: usesOf(memberOf(config, 'middlewares')),
  }
}

function authOf(auth: Value | undefined): RouteAuth | 'unknown' {
  if (isNothing(auth)) return 'usual'
  if (auth!.kind === 'literal' && auth!.value === false) return 'none'
  if (auth!.kind !== 'object' || !auth!.isWhole) return 'unknown'
  const needed = memberOf(auth, 'scope')
  if (isNothing(needed)) return 'usual'
  const scope = textOf(needed) === null ? textsOf(needed) : [textOf(needed)!]
  // Of an empty list, v4 takes the usual right.
  return scope === null ? 'unknown' : scope.length === 0 ? 'usual' : { scope }
}

function usesOf(value: Value | undefined): readonly RouteUse[] {
  if (isNothing(value)) return []
  if (value!.kind !== 'list') return [unread]
  const uses = value!.items.map(one => ({ name: textOf(one) ?? textOf(memberOf(one, 'name')) }))
  return value!.isWhole ? uses : [...uses, unread]
}
