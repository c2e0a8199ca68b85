// The part of the report about the code of a v4 project: routes, methods, policies, lifecycles, and uses of v4's
// objects.

import type { Place, Route, ServedRoute, V4Project } from '@plinth/v4/project'

/** A route of the project. */
export interface ReportedRoute extends Place {
  readonly method: string
  /** With the prefix of the API. */
  readonly path: string
  /** The action, or what stands in its place. */
  readonly handler: string
  readonly auth: string
  readonly policies: readonly string[]
  readonly middlewares: readonly string[]
}

/** The contents of the code. */
export interface ReportedCode {
  /** Routes of the project's own that are not served; those that name built-in actions are. */
  readonly routes: readonly ReportedRoute[]
  /** Methods of controllers and services beside the built-in ones. */
  readonly added: readonly (Place & { readonly name: string })[]
  readonly policies: readonly { readonly uid: string; readonly file: string }[]
  readonly middlewares: readonly { readonly uid: string; readonly file: string }[]
  readonly lifecycles: readonly { readonly uid: string; readonly file: string; readonly events: readonly string[] }[]
  /** Parts of v4's objects with the places where they are used. */
  readonly uses: readonly { readonly what: string; readonly places: readonly string[] }[]
  /** Files that could not be read. */
  readonly faults: readonly (Place & { readonly why: string })[]
}

const builtIn = ['find', 'findOne', 'create', 'update', 'delete', 'createOrUpdate', 'count']

/** `prefix`: that of the API. */
export function codeIn(project: V4Project, prefix: string): ReportedCode {
  const { controllers, services, policies, middlewares, lifecycles, faults } = project
  const methods = [...controllers, ...services].flatMap(({ uid, file, base, methods: own }) =>
    own
      .filter(({ name }) => base === null || !builtIn.includes(name))
      .map(({ name, line }) => ({ name: `${uid}.${name}`, file, line })),
  )
  return {
    routes: [...project.routes.filter(one => !isServed(project, one)), ...project.additions.routes].map(one =>
      reported(one, prefix),
    ),
    added: [...methods, ...project.additions.methods],
    policies,
    middlewares,
    lifecycles,
    uses: usesIn(project),
    faults,
  }
}

/** Returns whether Plinth serves a route: those of factories, and those that routers take over with their places. */
function isServed({ routers }: V4Project, { isCore, action, method, path }: Route): boolean {
  const isTaken = ({ operation, ...served }: ServedRoute, uid: string) =>
    action === `${uid}.${operation}` && served.method === method && served.path === path
  return isCore || routers.some(({ uid, routes }) => routes.some(one => isTaken(one, uid)))
}

function reported(
  { method, path, action, auth, policies, middlewares, file, line }: Route,
  prefix: string,
): ReportedRoute {
  const names = (all: Route['policies']) => all.map(({ name }) => name ?? 'a function')
  return {
    method,
    path: `${prefix}${path}`,
    handler: action ?? 'a function',
    auth: typeof auth === 'string' ? auth : auth.scope.join(', '),
    policies: names(policies),
    middlewares: names(middlewares),
    file,
    line,
  }
}

/** Each part once: `strapi.entityService.findMany`. */
function usesIn({ uses }: V4Project): ReportedCode['uses'] {
  const places = new Map<string, Set<string>>()
  for (const { object, path, file, line } of uses) {
    const what = `${object}.${path.split('.').slice(0, 3).join('.')}`
    const placesOfPart = places.get(what) ?? new Set()
    places.set(what, placesOfPart.add(`${file}:${line}`))
  }
  return [...places]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, placesOfPart]) => ({ what, places: [...placesOfPart] }))
}
