// Plinth on Fastify: the plugin that decorates `app.kernel`, and a server with the settings real clients need.

import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import fp from 'fastify-plugin'
import { createKernel, type Kernel, type KernelOptions } from './kernel.ts'
import { checkLevel, jsonLog } from './log.ts'
import { closeInTime } from './server/closing.ts'
import { bareAnswer, envelope } from './server/envelope.ts'
import { dropUnanswerable, isAnswering, takeTurns } from './server/pipelining.ts'
import { keepText, parseQuery, setQuery } from './server/query.ts'

export { exitWith, stopOnSignals } from './exit.ts'
export { listen } from './listen.ts'
export { plainLog } from './log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    kernel: Kernel
  }
}

/** Registers Plinth with a Fastify instance of one's own: `app.register(plinth, { dir })`. */
export const plinth = fp<KernelOptions>(
  async (app, options) => {
    app.addHook('onRequest', takeTurns)
    // One server may hold several kernels.
    if (!app.hasRoute(refusalRoute))
      app.all(refusalPath, { onRequest: refuse, logLevel: 'silent' }, (_request, reply) => reply.callNotFound())
    const decorate = (kernel: Kernel) => void app.decorate('kernel', kernel)
    const kernel = await createKernel({ logger: app.log, ...options }, { app, decorate })
    app.addHook(
      'onClose',
      closeInTime(app, () => kernel.close()),
    )
    const { onMount } = kernel.hooks.compiled
    if (onMount !== null) await app.register(async child => void (await onMount(child)))
  },
  { name: 'plinth', fastify: '5.x' },
)

export interface ServerOptions extends Omit<KernelOptions, 'logger'> {
  /** Fastify's option; on by default, at level `info` (LOG_LEVEL). */
  readonly logger?: FastifyServerOptions['logger']
  /** Further options for Fastify. */
  readonly fastify?: FastifyServerOptions
}

/** A server that is ready to listen. Throws what createKernel throws. */
export async function createServer(options: ServerOptions = {}): Promise<FastifyInstance> {
  const { logger = jsonLog(), fastify = {}, ...kernel } = options
  checkLevel(logger)
  const routerOptions = { ...serverDefaults.routerOptions, querystringParser: keepText }
  const app = Fastify({ ...serverDefaults, routerOptions, logger, ...fastify })
  app.addHook('onRequest', setQuery)
  dropUnanswerable(app.server)
  app.server.headersTimeout = 10_000
  app.server.maxRequestsPerSocket = 10_000
  app.server.maxConnections = 10_000
  app.register(plinth, kernel)
  app.after(() => answerUnknown(app))
  try {
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  return app
}

/** Not Node's own table: to import anything of node:http loads its client of the web, too, a fiftieth of a second. */
const phrases = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' } as const

const notFound = envelope(404, 'NotFoundError', 'Not Found')

/** Answers what no route answers, unless a plugin does so: Fastify has no other way to tell than to refuse a second handler. */
function answerUnknown(app: FastifyInstance): void {
  try {
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).header('content-type', 'application/json; charset=utf-8').send(notFound),
    )
  } catch {}
}

/**
 * Where requests go whose paths the router cannot read: to a route like any other, so that they pass the hooks of all
 * plugins, headers included. Others find nothing there.
 */
const refusalPath = '/_refused'
const refusalRoute = { method: 'GET', url: refusalPath } as const
const refused = new WeakMap<IncomingMessage, { readonly status: number; readonly body: string }>()

const badPath = { status: 400, body: envelope(400, 'ValidationError', 'Invalid path: an escape sequence is broken') }
const longPath = { status: 414, body: envelope(414, 'URITooLongError', 'URI Too Long') }

async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const refusal = refused.get(request.raw)
  if (refusal === undefined) return
  return reply.code(refusal.status).header('content-type', 'application/json; charset=utf-8').send(refusal.body)
}

/** What v4's clients rely on (paths in any case, with or without a slash at the end) and what no client needs (slowness). */
export const serverDefaults = {
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
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return socket.destroy()
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const status = isTooLarge ? 431 : isLate ? 408 : 400
    const phrase = phrases[status]
    socket.end(bareAnswer(status, phrase, phrase))
  },
  routerOptions: {
    ignoreTrailingSlash: true,
    caseSensitive: false,
    // As long as Node lets a whole head be: an id that is too long for any row is 404 like others (B-1.22).
    maxParamLength: 16 * 1024,
    querystringParser: parseQuery,
  },
  bodyLimit: 1024 * 1024,
  requestTimeout: 30_000,
  // A start may take as long as what it does to the database: an index over millions of rows, a lock that another process holds.
  pluginTimeout: 0,
  keepAliveTimeout: 72_000,
  // Every thrown Error is answered in one place, by the door it passes.
  forceCloseConnections: 'idle',
  // While a server closes, what arrives on open connections is still answered, with `connection: close`.
  return503OnClosing: false,
} as const satisfies FastifyServerOptions
