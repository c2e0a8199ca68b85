// The header `Server-Timing` of answers: how many SQL statements a request caused, how long the database worked on
// them, and how long the whole request took. Browsers show it in their developer tools. It is off in production,
// because the times tell strangers what a request found.

import { type Kernel, StartError, type StatementObserver } from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface TimingOptions {
  /**
   * True if answers have the header `Server-Timing`; overrides config/server. By default true, except in production.
   */
  readonly serverTiming?: boolean
}

/** The names of these options. */
export const timingOptions = ['serverTiming'] as const satisfies readonly (keyof TimingOptions)[]

/**
 * Returns whether answers have the header: the option, else `serverTiming` of config/server, else whether NODE_ENV is not
 * `production`. Throws StartError for a setting that is neither true nor false.
 */
export function isTimed(serverTiming: unknown, config: Readonly<Record<string, unknown>> = {}): boolean {
  const isOption = serverTiming !== undefined
  const setting = isOption ? serverTiming : config.serverTiming
  if (typeof setting === 'boolean') return setting
  // An empty text comes from an empty environment variable.
  if (setting === undefined || setting === null || setting === '') return process.env.NODE_ENV !== 'production'
  const where = isOption ? 'the option' : 'config/server:'
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `${where} serverTiming must be true or false, not ${JSON.stringify(setting)}`,
  )
}

/** The property of a request that holds its times. */
const timingKey = Symbol('plinth.timing')

interface Keeper {
  [timingKey]?: RequestTiming | null
}

/** Adds the header to the answers of a scope, also to errors and 404s. */
export function addTiming(scope: FastifyInstance, kernel: Kernel): void {
  // An outer scope may have declared it, as with one kernel below another.
  if (!scope.hasRequestDecorator(timingKey)) scope.decorateRequest(timingKey, null)
  // Fastify keeps the asynchronous context of this hook for all that follows, also behind the parsers of bodies.
  scope.addHook('onRequest', (request, _reply, done) => kernel.observe(timingOf(request), done))
  scope.addHook('onSend', (request, reply, payload, done) => {
    reply.header('server-timing', timingOf(request).headerBeside(reply.getHeader('server-timing')))
    done(null, payload)
  })
}

/** The times of a request, which several kernels may share. */
function timingOf(request: FastifyRequest): RequestTiming {
  const keeper = request as Keeper
  keeper[timingKey] ??= new RequestTiming()
  return keeper[timingKey]
}

/** Measures one request. */
class RequestTiming implements StatementObserver {
  readonly #began = performance.now()
  #statements = 0
  /** Statements, or groups of statements that were sent together, that are under way. */
  #running = 0
  /** When the first of them began. */
  #since = 0
  /** Milliseconds in which at least one was under way. */
  #took = 0
  /** The header that the route has set itself; null before it was looked at. */
  #own: string | null = null

  onStatement(): void {
    this.#statements++
  }

  onBegin(): void {
    if (this.#running === 0) this.#since = performance.now()
    this.#running++
  }

  onEnd(): void {
    this.#running--
    if (this.#running === 0) this.#took += performance.now() - this.#since
  }

  /** The header's value, behind what the route has set. The same for each call, if an error replaces the answer. */
  headerBeside(own: unknown): string {
    this.#own ??= own === undefined ? '' : `${String(own)}, `
    const now = performance.now()
    const db = this.#running === 0 ? this.#took : this.#took + now - this.#since
    const statements = this.#statements === 1 ? '1 statement' : `${this.#statements} statements`
    return `${this.#own}db;dur=${db.toFixed(2)};desc="${statements}", total;dur=${(now - this.#began).toFixed(2)}`
  }
}
