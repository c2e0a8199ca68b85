// Known paths with the wrong method: 405 in plain text with the methods that exist (B-1.30 to B-1.36).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFoundBody, send } from './errors.ts'

/** Paths with their methods; `:id` stands for any one segment. */
export class MethodTable {
  readonly #methods = new Map<string, readonly string[]>()

  add(path: string, methods: readonly string[]): void {
    this.#methods.set(path.toLowerCase(), methods)
  }

  /** The methods of a requested path; null where it is unknown. */
  find(url: string): readonly string[] | null {
    const end = url.indexOf('?')
    const path = (end === -1 ? url : url.slice(0, end)).toLowerCase().replace(/(.)\/$/, '$1')
    return this.#methods.get(path) ?? this.#methods.get(path.replace(/\/[^/]+$/, '/:id')) ?? null
  }
}

/** Answers what no route answers. */
export function registerNotFound(app: FastifyInstance, table: MethodTable): void {
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const { method } = request
    const methods = table.find(request.raw.url ?? '')
    const isRead = method === 'GET' || method === 'HEAD'
    // In v4 a public catch-all GET route matches every path, so other methods are wrong rather than unknown.
    if (methods === null && isRead) return send(reply, notFoundBody)
    const allowed = (methods ?? ['HEAD', 'GET']).join(', ')
    reply.header('allow', allowed)
    if (method === 'OPTIONS') return reply.code(200).send()
    if (isRead) return send(reply, notFoundBody)
    return reply.code(405).type('text/plain; charset=utf-8').send('Method Not Allowed')
  })
}
