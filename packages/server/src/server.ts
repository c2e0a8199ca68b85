// createServer creates a Fastify server that serves only Plinth, with the settings that clients need.

import { resolve } from 'node:path'
import { checkOptions, type KernelOptions, kernelOptions, loadConfig } from '@plinth/kernel'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import fp from '#fastify-plugin'
import { ConstantHeaders, isSupported, keepConstantHeaders, responseWith } from './constant-headers.ts'
import { refusalPath, routerOptions, serverDefaults } from './defaults.ts'
import { healthPaths } from './health.ts'
import { checkLevel, jsonLog, redactedLog } from './log.ts'
import { dropUnanswerable } from './pipelining.ts'
import { takeOver } from './plugin.ts'
import { turnOffPretenuring } from './pretenuring.ts'
import { trustProxyOf } from './proxy.ts'
import { keepText, setQuery } from './query.ts'
import { type TimingOptions, timingOptions } from './timing.ts'

export interface ServerOptions extends Omit<KernelOptions, 'logger'>, TimingOptions {
  /**
   * Fastify's option; on by default, at level `info` (LOG_LEVEL). Secrets are left out of what is logged, but not by a
   * logger of `fastify.loggerInstance`.
   */
  readonly logger?: FastifyServerOptions['logger']
  /** Further options for Fastify. */
  readonly fastify?: FastifyServerOptions
}

const noRoutes =
  'The server has no routes, because no plugin in config/plugins adds any; `rest: true` adds those of content types'

/**
 * Creates a server that is ready to listen. It turns a heuristic of V8's heap off for the whole process
 * (turnOffPretenuring). Throws what createKernel throws.
 */
export async function createServer(options: ServerOptions = {}): Promise<FastifyInstance> {
  checkOptions('createServer', options, [...kernelOptions, ...timingOptions, 'fastify'])
  // Loaded before all other files: Fastify takes `trustProxy` when it is created. `.env`, which is loaded too, may have
  // LOG_LEVEL.
  const config = { server: await serverSettings(options) }
  const { logger = jsonLog(), fastify = {}, ...kernel } = options
  checkLevel(logger)
  turnOffPretenuring()
  const constant = new ConstantHeaders()
  const app: FastifyInstance = Fastify({
    ...serverDefaults,
    ...(mayReplaceResponse(fastify) && { http: { ServerResponse: responseWith(constant) } }),
    routerOptions: { ...routerOptions, querystringParser: keepText },
    trustProxy: trustProxyOf(config.server),
    ...fastify,
    ...(fastify.loggerInstance === undefined && { logger: redactedLog(fastify.logger ?? logger) }),
  })
  keepConstantHeaders(app, constant)
  let hasRoutes = false
  app.addHook('onRoute', ({ url }) => {
    hasRoutes ||= url !== refusalPath && !healthPaths.includes(url)
  })
  app.addHook('onRequest', setQuery)
  dropUnanswerable(app.server)
  app.server.headersTimeout = 10_000
  app.server.maxConnections = 10_000
  app.register(fp(own => takeOver(own, kernel, config), { name: 'plinth', fastify: '5.x' }))
  try {
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  if (!hasRoutes) app.log.warn(noRoutes)
  return app
}

async function serverSettings({ dir, config }: ServerOptions): Promise<Record<string, unknown>> {
  return config?.server ?? (dir === undefined ? {} : await loadConfig(resolve(dir), 'server'))
}

/** Returns whether the server of these options is one of HTTP/1.1 whose responses may have a class of Plinth. */
function mayReplaceResponse(options: FastifyServerOptions): boolean {
  return !['http', 'https', 'http2', 'serverFactory'].some(name => name in options) && isSupported()
}
