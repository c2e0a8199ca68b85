// The settings of Fastify that clients of v4 rely on, and answers to requests that its router cannot read.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { bareAnswer, envelope } from './envelope.ts'
import { isAnswering } from './pipelining.ts'
import { parseQuery } from './query.ts'

/** Not Node's own table: to import anything of node:http loads its client of the web, too, a fiftieth of a second. */
const phrases = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' } as const

/**
 * Where requests go whose paths the router cannot read: to a route like any other, so that they pass the hooks of all
 * plugins, headers included. Others find nothing there.
 */
export const refusalPath = '/_refused'
const refusalRoute = { method: 'GET', url: refusalPath } as const
const refused = new WeakMap<IncomingMessage, { readonly status: number; readonly body: string }>()

const badPath = { status: 400, body: envelope(400, 'ValidationError', 'Invalid path: an escape sequence is broken') }
const longPath = { status: 414, body: envelope(414, 'URITooLongError', 'URI Too Long') }

async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const refusal = refused.get(request.raw)
  if (refusal === undefined) return
  return reply.code(refusal.status).header('content-type', 'application/json; charset=utf-8').send(refusal.body)
}

/** Adds the route for paths that the router cannot read. */
export function mountRefusals(app: FastifyInstance): void {
  // One server may hold several kernels.
  if (!app.hasRoute(refusalRoute))
    app.all(refusalPath, { onRequest: refuse, logLevel: 'silent' }, (_request, reply) => reply.callNotFound())
}

/** How the router reads URLs. */
export const routerOptions = {
  ignoreTrailingSlash: true,
  caseSensitive: false,
  // As long as Node lets a whole head be: an id that is too long for any row is 404 like others (B-1.22).
  maxParamLength: 16 * 1024,
  querystringParser: parseQuery,
} as const

/** What v4's clients rely on (paths in any case, with or without a slash at the end) and what no client needs (slowness). */
export const serverDefaults: FastifyServerOptions = {
  frameworkErrors(error, request, reply) {
    const { raw, server } = request
    refused.set(raw, error.code === 'FST_ERR_BAD_URL' ? badPath : longPath)
    // A server without Plinth, or with Plinth below a prefix, has no such route.
    if (!server.hasRoute(refusalRoute)) return void refuse(request as FastifyRequest, reply as FastifyReply)
    raw.url = refusalPath
    server.routing(raw, reply.raw)
  },
  clientErrorHandler(error, socket) {
    // The request never became one: answer on the bare socket, if it still listens.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy()
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const status = isTooLarge ? 431 : isLate ? 408 : 400
    const phrase = phrases[status]
    socket.end(bareAnswer(status, phrase, phrase))
  },
  routerOptions,
  bodyLimit: 1024 * 1024,
  requestTimeout: 30_000,
  // A start may take as long as what it does to the database: an index over millions of rows, a lock that another process holds.
  pluginTimeout: 0,
  keepAliveTimeout: 72_000,
  // Every thrown Error is answered in one place, by the transport that it passes.
  forceCloseConnections: 'idle',
  // While a server closes, what arrives on open connections is still answered, with `connection: close`.
  return503OnClosing: false,
}
