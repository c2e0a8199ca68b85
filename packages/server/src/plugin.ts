// Plinth as a plugin of Fastify: it decorates `app.kernel`, and mounts a kernel in a scope of its own or on the whole
// server.

import type { Server } from 'node:http'
import {
  checkOptions,
  createKernel,
  type Kernel,
  type KernelOptions,
  kernelOptions,
  type Mount,
  UnavailableError,
  type WholeServer,
} from '@plinth/kernel'
import type { FastifyInstance, FastifyPluginAsync, RegisterOptions, RouteHandlerMethod } from 'fastify'
import fp from '#fastify-plugin'
import { type ActionRoutes, addPolicies } from './actions.ts'
import { budgetOf, keepShares, openBudget, releaseShare } from './budget/requests.ts'
import { closeInTime, closeWithin } from './closing.ts'
import { keepContexts } from './context.ts'
import { type Cors, openCors } from './cors/cors.ts'
import { mountRefusals } from './defaults.ts'
import { envelope } from './envelope.ts'
import { hideInternalErrors } from './error-handler.ts'
import { withGuards } from './guarded-code.ts'
import { mountHealth } from './health.ts'
import { allowPausing, pauseAfterRefusal } from './paused-connections.ts'
import { takeTurns } from './pipelining.ts'
import { keepRoutes } from './routes.ts'
import { checkServerKeys } from './server-keys.ts'
import { StalledSockets } from './stalled-sockets.ts'
import { addTiming, isTimed, type TimingOptions, timingOptions } from './timing.ts'
import { welcoming } from './welcome/welcome.ts'

/** The options of a kernel on a server. */
export type MountOptions = KernelOptions & TimingOptions

export interface PlinthOptions extends KernelOptions, TimingOptions, RegisterOptions {
  /**
   * True if the server has no routes except Plinth's, as with createServer: body parsers, headers, CORS, the error
   * handler and 404s then apply to all routes, and `close` ends connections in time. False: they apply to Plinth's
   * routes only.
   */
  readonly wholeServer?: boolean
}

/** Fastify's options of `register`. They apply to the scope of Plinth's routes. */
const scopeWords = ['prefix', 'logLevel', 'logSerializers'] as const

/**
 * The plugin of Fastify: `app.register(plinth, { dir, prefix })`. It adds the decorator `kernel`, and routes in a scope
 * of their own. Throws what createKernel throws.
 */
export const plinth: FastifyPluginAsync<PlinthOptions> = fp(
  async (app: FastifyInstance, { wholeServer = false, ...options }: PlinthOptions) => {
    if (wholeServer) {
      checkOptions('plinth with wholeServer', options, [...kernelOptions, ...timingOptions])
      return takeOver(app, options)
    }
    checkOptions('plinth', options, [...kernelOptions, ...timingOptions, 'wholeServer', ...scopeWords])
    const { prefix = '', logLevel, logSerializers, ...kernel } = options
    const registration = { prefix, ...(logLevel && { logLevel }), ...(logSerializers && { logSerializers }) }
    await app.register(scope => mountInScope(app, scope, kernel), registration)
  },
  { name: 'plinth', fastify: '5.x' },
)

/** Mounts a kernel on a server that also has other routes. */
async function mountInScope(app: FastifyInstance, scope: FastifyInstance, options: MountOptions): Promise<void> {
  const { kernel, routes, cors } = await makeKernel(app, scope, null, options)
  await closedAtFailure(kernel, () => mountRoutes(kernel, routes, scope, cors))
  scope.addHook(
    'onClose',
    closeWithin(app, () => kernel.close()),
  )
}

const notFound = envelope(404, 'NotFoundError', 'Not Found')

/** Mounts a kernel on the server itself, and answers requests that match no route. */
export async function takeOver(app: FastifyInstance, options: MountOptions, config?: Mount['config']): Promise<void> {
  mountRefusals(app)
  let answerUnknown: RouteHandlerMethod = (_request, reply) =>
    reply.code(404).header('content-type', 'application/json; charset=utf-8').send(notFound)
  const setNotFoundHandler = (handler: RouteHandlerMethod) => {
    answerUnknown = handler
  }
  const { kernel, routes } = await makeKernel(app, app, { setNotFoundHandler }, options, config)
  await closedAtFailure(kernel, async () => {
    hideInternalErrors(app)
    mountHealth(app, kernel)
    await mountRoutes(kernel, routes, app)
    const isProduction = process.env.NODE_ENV === 'production'
    app.setNotFoundHandler(isProduction ? answerUnknown : await welcoming(kernel, answerUnknown))
  })
  allowPausing(app, kernel)
  const stalled = new StalledSockets(app.server as Server, () => budgetOf(kernel).stalledSockets++)
  app.addHook('onClose', async () => stalled.stop())
  app.addHook(
    'onClose',
    closeInTime(app, () => kernel.close()),
  )
}

/** A mounted kernel, with its routes and its CORS. */
interface MountedKernel {
  readonly kernel: Kernel
  readonly routes: ActionRoutes
  readonly cors: Cors
}

/** Creates a kernel that decorates `app` and has its routes in `scope`. */
async function makeKernel(
  app: FastifyInstance,
  scope: FastifyInstance,
  server: WholeServer | null,
  { serverTiming, ...options }: MountOptions,
  config: Mount['config'] = {},
): Promise<MountedKernel> {
  let owner: Kernel | null = null
  scope.addHook('onError', async (request, reply, error) => {
    releaseShare(request)
    if (!(error instanceof UnavailableError)) return
    // Whichever handler answers the error.
    reply.header('retry-after', String(error.retryAfter))
    owner?.readiness.countRefused(error)
    pauseAfterRefusal(request, error)
  })
  keepContexts(scope)
  keepShares(scope)
  let routes: ActionRoutes
  let cors: Cors
  const decorate = (kernel: Kernel) => {
    owner = kernel
    checkServerKeys(kernel.config.server ?? {}, message => app.log.warn(message))
    openBudget(kernel)
    cors = openCors(kernel, scope, server === null)
    scope.addHook(
      'onRequest',
      takeTurns((request, reply, done) => cors.begin(request, reply, done)),
    )
    scope.addHook('onClose', async () => budgetOf(kernel).close())
    app.decorate('kernel', kernel)
    keepRoutes(kernel, scope)
    routes = addPolicies(scope, kernel)
    if (!isTimed(serverTiming, kernel.config.server)) return
    addTiming(scope, kernel)
    cors.names.add({ expose: ['Server-Timing'] })
  }
  const runPlugin: Mount['runPlugin'] = async ({ name, dependencies = [] }, register) => {
    await scope.register(fp(register, { name, fastify: '5.x', dependencies: [...dependencies] }))
  }
  const own = await withGuards({ logger: app.log, ...options }, app.log)
  const kernel = await createKernel(own, { app: scope, server, config, decorate, runPlugin })
  cors!.warn()
  return { kernel, routes: routes!, cors: cors! }
}

/** Adds the routes of plugins in a child scope, and with `cors` routes for preflights. */
async function mountRoutes(
  { hooks }: Kernel,
  routes: ActionRoutes,
  scope: FastifyInstance,
  cors: Cors | null = null,
): Promise<void> {
  routes.check()
  const { onMount } = hooks
  if (onMount !== null) await scope.register(async child => void (await onMount(child)))
  cors?.mountPreflights(scope)
}

/**
 * Closes the kernel if a later step of the start fails, for example because another plugin has set the handler of
 * unknown paths. Otherwise the database would stay open.
 */
async function closedAtFailure(kernel: Kernel, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await kernel.close()
    throw error
  }
}
