// Answers requests with a wrong method for a known path: 405 in plain text with the allowed methods (B-1.30 to B-1.36).

import { sendError } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'
import { notFoundBody } from './errors.ts'

/** The known methods, in the order of the Allow header. */
const httpMethods: readonly HTTPMethod[] = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Finds the methods of a path among all routes of a server, whichever plugin mounted them. */
export class MethodTable {
  // Fastify's own router with the same options, so that it matches the same paths.
  readonly #router = createRouter({ ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 16 * 1024 })
  /** The paths of all routes, as registered. */
  readonly paths = new Set<string>()

  add(path: string, methods: readonly string[]): void {
    this.paths.add(path)
    // Routes may share a path by host or version; one of them is enough.
    for (const method of httpMethods)
      if (methods.includes(method) && !this.#router.hasRoute(method, path)) this.#router.on(method, path, () => {})
  }

  /** The methods of a requested path; none if it is unknown. */
  find(url: string): readonly string[] {
    return httpMethods.filter(method => this.#router.find(method, url) !== null)
  }
}

/** Adds all routes that are mounted after this call to a table. */
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
    if (isRead) return sendError(reply, notFoundBody)
    const methods = table.find(request.url)
    // In v4 a public catch-all GET route matches every path, so another method is wrong for it, not unknown.
    reply.header('allow', (methods.length === 0 ? ['HEAD', 'GET'] : methods).join(', '))
    if (method === 'OPTIONS') return reply.code(200).send()
    return reply.code(405).type('text/plain; charset=utf-8').send('Method Not Allowed')
  }
}

/**
 * For a server that also has other routes: answers unknown paths below the prefix, and OPTIONS of each path in the
 * table, which an `OPTIONS *` of the server would otherwise answer. `config` is the config of these routes. Call it
 * after all routes are mounted.
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
