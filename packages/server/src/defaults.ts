// Sets the options of Fastify that clients of v4 rely on, and answers requests that the router cannot read.

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { bareAnswer, envelope } from './envelope.ts'
import { isAnswered, isAnswering } from './pipelining.ts'
import { parseQuery } from './query.ts'
import { isUploading } from './slow-bodies.ts'

/**
 * Node's own table is not used, because an import of node:http also loads its HTTP client, which takes a fiftieth of a
 * second.
 */
const phrases = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' } as const

/**
 * The route of requests whose paths the router cannot read. It is an ordinary route, so that they pass the hooks of all
 * plugins, including those of headers. Other requests for this path are answered with 404.
 */
export const refusalPath = '/_refused'
const refusalRoute = { method: 'GET', url: refusalPath } as const
const refused = new WeakMap<IncomingMessage, { readonly status: number; readonly body: string }>()

const badPath = { status: 400, body: envelope(400, 'ValidationError', 'Invalid path: an escape sequence is not valid') }
const longPath = { status: 414, body: envelope(414, 'URITooLongError', 'URI Too Long') }

async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const refusal = refused.get(request.raw)
  if (refusal === undefined) return
  return reply.code(refusal.status).header('content-type', 'application/json; charset=utf-8').send(refusal.body)
}

/** Adds the route for paths that the router cannot read. */
export function mountRefusals(app: FastifyInstance): void {
  // One server may have several kernels.
  if (!app.hasRoute(refusalRoute))
    app.all(refusalPath, { onRequest: refuse, logLevel: 'silent', config: { operation: false } }, (_request, reply) =>
      reply.callNotFound(),
    )
}

/** Options of Fastify's router. */
export const routerOptions = {
  ignoreTrailingSlash: true,
  caseSensitive: false,
  // As long as the whole head that Node accepts: an id too long for any row is answered with 404 like other unknown ids
  // (B-1.22).
  maxParamLength: 16 * 1024,
  querystringParser: parseQuery,
} as const

/**
 * Fastify options that v4's clients rely on (paths in any case, with or without a trailing slash), and limits for slow
 * clients.
 */
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
    // The body has a reader, which limits how slowly it arrives.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading(socket)) return
    // The request could not be parsed: answer on the bare socket if it is still writable.
    const isSaid = isAnswering(socket) || isAnswered(socket)
    if (error.code === 'ECONNRESET' || !socket.writable || isSaid) return void socket.destroy()
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const status = isTooLarge ? 431 : isLate ? 408 : 400
    const phrase = phrases[status]
    socket.end(bareAnswer(status, phrase, phrase))
  },
  routerOptions,
  bodyLimit: 1024 * 1024,
  // For bodies that readParts does not read.
  requestTimeout: 30_000,
  // A start may take as long as its changes of the database: an index over millions of rows, or a lock that another
  // process holds.
  pluginTimeout: 0,
  keepAliveTimeout: 72_000,
  forceCloseConnections: 'idle',
  // While the server closes, requests on open connections are still answered, with `connection: close`.
  return503OnClosing: false,
}
