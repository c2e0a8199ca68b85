// `plinth routes`: the routes of an application, as its server has them.

import type { FastifyInstance, RouteOptions } from 'fastify'
import { defineCommand } from '#citty'
import { withMounted } from './mounted.ts'
import { dirOption, folderOf } from './open.ts'
import { tableText } from './table.ts'
import { withExamples } from './usage.ts'

/** A route, as `--json` prints it. */
export interface Route {
  /** Without HEAD, which each route for GET has too. */
  readonly methods: readonly string[]
  readonly path: string
  /** The action to which a caller needs the right; null if the route names none. */
  readonly action: string | null
}

export const routes = withExamples(
  defineCommand({
    meta: { name: 'routes', alias: 'routes:list', description: 'print the routes of the application' },
    args: { dir: dirOption, json: { type: 'boolean', description: 'print JSON' } },
    async run({ args }) {
      const allRoutes = await routesOf(folderOf(args.dir))
      console.log(args.json ? JSON.stringify(allRoutes, null, 2) : routesText(allRoutes))
    },
  }),
  [
    'plinth routes                    # methods, path, and the action to which a caller needs the right',
    'plinth routes | grep articles',
    'plinth routes --json',
  ],
)

/** The routes of the application in a folder, sorted by path. */
async function routesOf(dir: string): Promise<Route[]> {
  const registeredRoutes: RouteOptions[] = []
  const prepare = (app: FastifyInstance) => void app.addHook('onRoute', route => void registeredRoutes.push(route))
  return withMounted({ dir, command: 'plinth routes', prepare }, async () =>
    registeredRoutes.flatMap(routeOf).sort((a, b) => compare(a.path, b.path) || compare(a.methods[0]!, b.methods[0]!)),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Paths of the server itself that no client asks for. */
const inner = ['/_refused']

function routeOf({ method, url, config }: RouteOptions): Route[] {
  const methods = [method].flat().filter(one => one !== 'HEAD')
  if (methods.length === 0 || inner.includes(url)) return []
  return [{ methods, path: url === '' ? '/' : url, action: config?.action ?? null }]
}

function routesText(allRoutes: readonly Route[]): string {
  const rows = allRoutes.map(({ methods, path, action }) => [
    // Every method that Fastify knows.
    methods.length > 6 ? 'ANY' : methods.join('|'),
    path,
    action ?? '',
  ])
  return tableText(['METHOD', 'PATH', 'ACTION'], rows)
}
