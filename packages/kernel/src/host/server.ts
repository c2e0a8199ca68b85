// Plinth on Fastify: the plugin that decorates `app.kernel`, and a server with the settings real clients need.

import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  type RegisterOptions,
  type RouteHandlerMethod,
} from 'fastify'
import fp from 'fastify-plugin'
import { createKernel, type Kernel, type KernelOptions } from '../boot/kernel.ts'
import { checkLevel, jsonLog } from './log.ts'
import { checkOptions, kernelOptions } from '../boot/option-checks.ts'
import type { WholeServer } from '../boot/plugins.ts'
import { closeInTime, closeWithin } from './closing.ts'
import { bareAnswer, envelope } from './envelope.ts'
import { dropUnanswerable, isAnswering, takeTurns } from './pipelining.ts'
import { keepText, parseQuery, setQuery } from './query.ts'

export { exitWith, stopOnSignals } from './exit.ts'
export { listen } from './listen.ts'
export { plainLog } from './log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    kernel: Kernel
  }
}

export interface PlinthOptions extends KernelOptions {
  /**
   * True if the server has no routes but Plinth's, as under createServer: body parsers, headers, CORS, the error handler and 404s
   * then apply to all routes, and `close` ends connections in time. False: they apply to Plinth's routes only.
   */
  readonly wholeServer?: boolean
}

/** The Fastify plugin: `app.register(plinth, { dir })`. It adds the decorator `kernel`, and routes in a scope of their own. */
export const plinth = fp<PlinthOptions>(
  // Fastify hands over its own options of `register`, too.
  async (
    app,
    { wholeServer = false, prefix, logLevel, logSerializers, ...options }: PlinthOptions & RegisterOptions,
  ) => {
    if (wholeServer) return takeOver(app, options)
    await app.register(async scope => {
      const kernel = await mount(app, scope, null, options)
      scope.addHook(
        'onClose',
        closeWithin(app, () => kernel.close()),
      )
    })
  },
  { name: 'plinth', fastify: '5.x' },
)

/** Makes a kernel that decorates `app` and has its routes in `scope`. */
async function mount(
  app: FastifyInstance,
  scope: FastifyInstance,
  server: WholeServer | null,
  options: KernelOptions,
): Promise<Kernel> {
  scope.addHook('onRequest', takeTurns)
  const decorate = (kernel: Kernel) => void app.decorate('kernel', kernel)
  const kernel = await createKernel({ logger: app.log, ...options }, { app: scope, server, decorate })
  const { onMount } = kernel.hooks.compiled
  if (onMount !== null) await scope.register(async child => void (await onMount(child)))
  return kernel
}

/** Mounts a kernel on the server itself, and answers what no route answers. */
async function takeOver(app: FastifyInstance, options: KernelOptions): Promise<void> {
  // One server may hold several kernels.
  if (!app.hasRoute(refusalRoute))
    app.all(refusalPath, { onRequest: refuse, logLevel: 'silent' }, (_request, reply) => reply.callNotFound())
  let answerUnknown: RouteHandlerMethod = (_request, reply) =>
    reply.code(404).header('content-type', 'application/json; charset=utf-8').send(notFound)
  const setNotFoundHandler = (handler: RouteHandlerMethod) => {
    answerUnknown = handler
  }
  const kernel = await mount(app, app, { setNotFoundHandler }, options)
  app.setNotFoundHandler(answerUnknown)
  app.addHook(
    'onClose',
    closeInTime(app, () => kernel.close()),
  )
}

export interface ServerOptions extends Omit<KernelOptions, 'logger'> {
  /** Fastify's option; on by default, at level `info` (LOG_LEVEL). */
  readonly logger?: FastifyServerOptions['logger']
  /** Further options for Fastify. */
  readonly fastify?: FastifyServerOptions
}

const noRoutes =
  'there are no routes: no plugin of config/plugins adds any (rest: true adds those of the content types)'

/** A server that is ready to listen. Throws what createKernel throws. */
export async function createServer(options: ServerOptions = {}): Promise<FastifyInstance> {
  checkOptions('createServer', options, [...kernelOptions, 'fastify'])
  const { logger = jsonLog(), fastify = {}, ...kernel } = options
  checkLevel(logger)
  const routerOptions = { ...serverDefaults.routerOptions, querystringParser: keepText }
  const app = Fastify({ ...serverDefaults, routerOptions, logger, ...fastify })
  let hasRoutes = false
  app.addHook('onRoute', ({ url }) => {
    hasRoutes ||= url !== refusalPath
  })
  app.addHook('onRequest', setQuery)
  dropUnanswerable(app.server)
  app.server.headersTimeout = 10_000
  app.server.maxRequestsPerSocket = 10_000
  app.server.maxConnections = 10_000
  app.register(plinth, { ...kernel, wholeServer: true })
  try {
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  if (!hasRoutes) app.log.warn(noRoutes)
  return app
}

/** Not Node's own table: to import anything of node:http loads its client of the web, too, a fiftieth of a second. */
const phrases = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' } as const

const notFound = envelope(404, 'NotFoundError', 'Not Found')

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
