// Applies the settings of v4's routers that need no code to REST: paths, methods and `auth`.

import type { ContentType, Operation } from '@plinth/kernel'
import type { Config } from './config.ts'
import type { Router } from './project/model.ts'

/** The methods of routes. */
type EntryMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A route as the service `rest.routes` gives it. */
interface EntryRoute {
  readonly operation: Operation
  readonly method: EntryMethod
  readonly path: string
}

type RouterSettings = NonNullable<Config['routers']>[string]

/** A router of the settings; `type` says which routes it has if they are left out. */
interface RouterRules extends Omit<Router, 'routes'> {
  readonly routes: Router['routes'] | null
}

/** The routers of the project, and over them those of the settings. */
export function routersBy(read: readonly Router[], config: Config): ReadonlyMap<string, RouterRules> {
  const configured = Object.entries(config.routers ?? {}).map(([uid, settings]) => configuredRouter(uid, settings))
  return new Map([...read, ...configured].map(one => [one.uid, one]))
}

function configuredRouter(uid: string, { routes, auth = {}, needsUser = [] }: RouterSettings): RouterRules {
  const rules = Object.entries(auth).map(([operation, rule]) => [operation, rule === false ? 'none' : rule])
  return {
    uid,
    routes:
      routes === undefined ? null : Object.entries(routes).flatMap(([operation, own]) => routesIn(operation, own)),
    auth: Object.fromEntries(rules) as RouterRules['auth'],
    needsUser: needsUser as RouterRules['needsUser'],
  }
}

const routesIn = (operation: string, own: readonly string[]): Router['routes'] =>
  own.map(one => {
    const [method = '', path = ''] = one.trim().split(/\s+/)
    return { operation: operation as Operation, method: method.toUpperCase(), path }
  })

const methods: readonly EntryMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Gives types the routes of their routers, each place once: the routes of a server must differ. */
export class RouterRoutes {
  readonly #routers: ReadonlyMap<string, RouterRules>
  readonly #owners = new Map<string, string>()
  readonly #warn: (message: string) => void

  constructor(routers: ReadonlyMap<string, RouterRules>, warn: (message: string) => void) {
    this.#routers = routers
    this.#warn = warn
  }

  /** The service `rest.routes`. */
  readonly of = (type: ContentType): readonly EntryRoute[] | null => {
    const routes = this.#routers.get(type.uid)?.routes ?? null
    if (routes === null) return null
    return routes.flatMap(({ operation, method, path }) => {
      const all = method === 'ALL' ? methods : methods.filter(one => one === method)
      const own = fastifyPath(path)
      const isServed = all.length > 0 && own !== null && (!needsId(type, operation) || /\/:id(?:[/(]|$)/.test(own))
      if (isServed)
        return all.filter(one => this.#take(type, one, own)).map(one => ({ operation, method: one, path: own }))
      this.#warn(`${type.uid}.${operation}: the route ${method} ${path} is not served: Plinth has no such paths`)
      return []
    })
  }

  /** Returns whether no other action stands at that place. */
  #take({ uid }: ContentType, method: EntryMethod, path: string): boolean {
    const place = `${method} ${path.replaceAll(/:\w+/g, ':').toLowerCase()}`
    const owner = this.#owners.get(place)
    this.#owners.set(place, owner ?? uid)
    return owner === undefined
  }
}

const needsId = ({ kind }: ContentType, operation: Operation) =>
  kind !== 'singleType' && operation !== 'find' && operation !== 'create'

/** A path of v4 as Fastify writes it: `/notes/:id([0-9]+)` as `/notes/:id(^[0-9]+$)`; null for other forms. */
function fastifyPath(path: string): string | null {
  const segments = path.split('/').filter(one => one !== '')
  const own = segments.map(segment => {
    if (/^:?[\w.~-]+$/.test(segment)) return segment
    const [, name, pattern] = /^(:\w+)\(([^()]+)\)$/.exec(segment) ?? []
    return name === undefined ? null : `${name}(^${pattern}$)`
  })
  return own.includes(null) ? null : `/${own.join('/')}`
}
