// Known paths with the wrong method: 405 in plain text with the methods that exist (B-1.30 to B-1.36).

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'
import { notFoundBody, send } from './errors.ts'

/** In the order of the Allow header. */
const known: readonly HTTPMethod[] = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The routes of a server, whoever mounts them, asked for a path's methods. */
export class MethodTable {
  // Fastify's own router, told the same, finds the same.
  readonly #router = createRouter({ ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 16 * 1024 })
  /** The paths of all routes, as registered. */
  readonly paths = new Set<string>()

  add(path: string, methods: readonly string[]): void {
    this.paths.add(path)
    // Routes may share a path by host or version; one is enough to say that there is one.
    for (const method of known)
      if (methods.includes(method) && !this.#router.hasRoute(method, path)) this.#router.on(method, path, () => {})
  }

  /** The methods of a requested path; none where it is unknown. */
  find(url: string): readonly string[] {
    return known.filter(method => this.#router.find(method, url) !== null)
  }
}

/** Fills the table with all routes that are mounted from now on. */
export function collectMethods(app: FastifyInstance): MethodTable {
  const table = new MethodTable()
  app.addHook('onRoute', ({ url, method }) => table.add(url, [method].flat()))
  return table
}

/** The handler of requests for which there is no route. */
export function notFoundHandler(table: MethodTable): RouteHandlerMethod {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const { method } = request
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead) return send(reply, notFoundBody)
    const methods = table.find(request.url)
    // In v4 a public catch-all GET route matches every path, so other methods are wrong rather than unknown.
    reply.header('allow', (methods.length === 0 ? ['HEAD', 'GET'] : methods).join(', '))
    if (method === 'OPTIONS') return reply.code(200).send()
    return reply.code(405).type('text/plain; charset=utf-8').send('Method Not Allowed')
  }
}

/**
 * For a server that also has other routes: answers unknown paths below the prefix, and OPTIONS of each path in the table, which
 * an `OPTIONS *` of the server would answer otherwise. `config` is that of the routes. Call it after all routes are mounted.
 */
export async function answerOwnPaths(
  app: FastifyInstance,
  prefix: string,
  table: MethodTable,
  config: object,
): Promise<void> {
  const handler = notFoundHandler(table)
  const hidden = { schema: { hide: true } as object }
  for (const url of [...table.paths])
    if (!app.hasRoute({ method: 'OPTIONS', url })) app.options(url.slice(app.prefix.length), hidden, handler)
  // Without a prefix, the server answers unknown paths.
  if (app.prefix + prefix === '') return
  // Fastify accepts `config` here, although its types do not have it.
  await app.register(async below => void below.setNotFoundHandler({ config } as object, handler), { prefix })
}
