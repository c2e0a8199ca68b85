// Limits of requests on the routes of accounts, by @fastify/rate-limit (B-6.60). Each request counts for its address and
// for the account that it names, separately, so that neither changing the account nor the address gets around both
// (security.md row 61).

import { fastifyRateLimit, normalizeIP, type RateLimitPluginOptions } from '@fastify/rate-limit'
import { type Logger, PlinthError, StartError } from '@plinth/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountConfig } from './config.ts'
import { normalizeName } from './names.ts'
import { secondsOf, units } from './spans.ts'

type Limiter = ReturnType<FastifyInstance['createRateLimit']>

/** The outcome of a limiter that let nobody pass uncounted. */
type Counted = Extract<Awaited<ReturnType<Limiter>>, { isAllowed: false }>

/** The limiters of one store: by address, and by account. */
interface Limiters {
  readonly byAddress: Limiter
  readonly byAccount: Limiter
}

/** How many addresses and accounts one process counts; the least recently seen are forgotten. */
const maxCounted = 50_000

/** Milliseconds of a window. Throws StartError for a span that is none. */
function windowOf(interval: string | number): number {
  const milliseconds = typeof interval === 'number' ? interval : (secondsOf(interval) ?? 0) * 1000
  if (milliseconds >= 1) return Math.floor(milliseconds)
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `config/plugins: users-permissions: ratelimit.interval: "${interval}" is no span; units are ${units}`,
  )
}

/** One use of a route, which is counted. A request by GraphQL can contain several. */
export interface Use {
  /** The path of the route and not of a URL, which may be written in several ways. */
  readonly route: string
  /** The account that it names; the empty text if it names none. */
  readonly account: string
}

/** What a request uses at present, for the limiters. */
const uses = new WeakMap<FastifyRequest, Use>()

/**
 * The account that a body names, in the form in which it is compared; the empty text if it names none. `field` is where
 * the route itself looks: another one would let a request choose for whom it counts.
 */
export function accountOf(body: unknown, field: 'identifier' | 'email'): string {
  const named = (body as Readonly<Record<string, unknown>> | null | undefined)?.[field]
  return typeof named === 'string' ? normalizeName(named.slice(0, 320)).toLowerCase() : ''
}

/** Counts requests, and refuses those above the limit. */
export class Limits {
  readonly #log: Logger
  readonly #local: Limiters
  readonly #shared: Limiters | null
  #isRedisAway = false
  readonly close: () => Promise<void>

  private constructor(log: Logger, local: Limiters, shared: Limiters | null, close: () => Promise<void>) {
    this.#log = log
    this.#local = local
    this.#shared = shared
    this.close = close
  }

  /** Prepares the limits of routes in `app`; null if they are switched off. Throws StartError without ioredis. */
  static async open(app: FastifyInstance, config: AccountConfig['ratelimit'], log: Logger): Promise<Limits | null> {
    if (!config.enabled) return null
    const timeWindow = windowOf(config.interval)
    const options = { global: false, max: config.max, timeWindow, cache: maxCounted }
    const local = await limitersOf(app, options)
    if (config.redis === undefined) return new Limits(log, local, null, async () => {})
    const redis = await connect(config.redis)
    const shared = await limitersOf(app, { ...options, redis, nameSpace: config.prefix })
    return new Limits(log, local, shared, async () => redis.disconnect())
  }

  /**
   * Counts a use for the address of the request, and for its account if it names one. Throws a 429 if one of them has
   * made too many; sets the headers of v4 on `reply`, which an answer about several uses does not have.
   */
  async check(request: FastifyRequest, reply: FastifyReply | null, use: Use): Promise<void> {
    uses.set(request, use)
    const counted = await this.#count(request)
    const least = counted.reduce((a, b) => (b.remaining < a.remaining || b.isExceeded ? b : a))
    const isExceeded = counted.some(one => one.isExceeded)
    if (reply !== null) setHeaders(reply, least, isExceeded)
    if (isExceeded) throw new PlinthError(429, 'RateLimitError', 'Too many requests, please try again later.')
  }

  /** Without Redis, each process counts for itself: a login is never unlimited (security.md F15). */
  async #count(request: FastifyRequest): Promise<Counted[]> {
    if (this.#shared === null) return countWith(this.#local, request)
    try {
      const counted = await countWith(this.#shared, request)
      if (this.#isRedisAway) this.#log.info('The Redis server of ratelimit answers again')
      this.#isRedisAway = false
      return counted
    } catch (error) {
      if (!this.#isRedisAway)
        this.#log.error(error, 'The Redis server of ratelimit does not answer; requests are counted in this process')
      this.#isRedisAway = true
      return countWith(this.#local, request)
    }
  }
}

function setHeaders(reply: FastifyReply, { max, remaining, ttl }: Counted, isExceeded: boolean): void {
  reply.header('x-ratelimit-limit', String(max))
  reply.header('x-ratelimit-remaining', String(remaining))
  reply.header('x-ratelimit-reset', String(Math.ceil((Date.now() + ttl) / 1000)))
  if (isExceeded) reply.header('retry-after', String(Math.max(1, Math.ceil(ttl / 1000))))
}

async function countWith({ byAddress, byAccount }: Limiters, request: FastifyRequest): Promise<Counted[]> {
  const limiters = uses.get(request)?.account === '' ? [byAddress] : [byAddress, byAccount]
  const results = await Promise.all(limiters.map(limiter => limiter(request)))
  return results.filter(one => !one.isAllowed)
}

/** Each store has a scope of its own: the plugin decorates a scope once. */
async function limitersOf(app: FastifyInstance, options: RateLimitPluginOptions): Promise<Limiters> {
  let limiters: Limiters | undefined
  await app.register(async scope => {
    await scope.register(fastifyRateLimit, options)
    limiters = {
      byAddress: scope.createRateLimit({
        keyGenerator: request => `a ${uses.get(request)!.route} ${normalizeIP(request.ip)}`,
      }),
      byAccount: scope.createRateLimit({
        keyGenerator: request => `u ${uses.get(request)!.route} ${uses.get(request)!.account}`,
      }),
    }
  })
  return limiters!
}

async function connect(url: string) {
  const module = await import('ioredis').catch(() => null)
  if (module === null)
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      'config/plugins: users-permissions: ratelimit.redis needs the package ioredis: npm install ioredis',
    )
  const redis = new module.Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    commandTimeout: 500,
  })
  // Failures are noticed where a command fails; without a listener they would be printed.
  redis.on('error', () => {})
  await redis.connect().catch(() => {})
  return redis
}
