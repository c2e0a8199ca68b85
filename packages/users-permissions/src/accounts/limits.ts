// Limits of requests on the routes of accounts, by @fastify/rate-limit (B-6.60). Each request counts for its address and
// for the account that it is about, separately, so that neither changing the account nor the address gets around both
// (security.md row 61). Knows no users: who is meant is found by the caller.

import { createHash } from 'node:crypto'
import { fastifyRateLimit, normalizeIP, type RateLimitPluginOptions } from '@fastify/rate-limit'
import { type Logger, PlinthError, StartError } from '@plinth/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountConfig } from './config.ts'
import { foldName } from './names.ts'
import { secondsOf, units } from './spans.ts'

type Limiter = ReturnType<FastifyInstance['createRateLimit']>

/** The outcome of a limiter that let nobody pass uncounted. */
type CountedRefusal = Extract<Awaited<ReturnType<Limiter>>, { isAllowed: false }>

/** The limiters of one store. */
interface Limiters {
  readonly byAddress: Limiter
  readonly byAccount: { readonly [Kind in CounterKind]: Limiter }
}

/**
 * The maximum number of addresses, of users and of names that one process counts: the least recently seen are
 * forgotten, so that memory is bounded, and invented names push out other names, but no user.
 */
const maxCounted = 50_000

/** Milliseconds of a window. Throws StartError for a value that is not a span. */
function windowOf(interval: string | number): number {
  const milliseconds = typeof interval === 'number' ? interval : (secondsOf(interval) ?? 0) * 1000
  if (milliseconds >= 1) return Math.floor(milliseconds)
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `config/plugins: users-permissions.config.ratelimit.interval: "${interval}" is not a span; units are ${units}`,
  )
}

/**
 * The kinds of counters of an account: the user, whichever name is used, and what was sent, a name or a code, which may
 * be that of nobody or another spelling of it. A counter of the kind `user` is only for users who exist.
 */
export type CounterKind = 'user' | 'name'

/** A counter of an account. */
export interface AccountCounter {
  readonly kind: CounterKind
  readonly key: string
}

/** One use of a route, which is counted. A request by GraphQL can contain several. */
export interface Use {
  /** The path of the route and not of a URL, which may be written in several ways. */
  readonly route: string
  /** Finds the counters of the account that it is about; none if it names none. Called only if the address may go on. */
  readonly findCounters: () => Promise<readonly AccountCounter[]>
}

/** The keys by which requests are counted. */
const keys = new WeakMap<FastifyRequest, string>()

/** The counter of a name, in the form in which names are compared. Long ones are hashed: memory is bounded. */
export function counterOf(name: string): AccountCounter {
  const folded = foldName(name)
  const key = folded.length <= maxKeyLength ? folded : `sha256 ${createHash('sha256').update(folded).digest('base64')}`
  return { kind: 'name', key }
}

const maxKeyLength = 64

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

  /**
   * Prepares the limits of routes in `app`; null if they are switched off. `size` is the number of counters of each kind
   * in this process. Throws StartError without ioredis.
   */
  static async open(
    app: FastifyInstance,
    config: AccountConfig['ratelimit'],
    log: Logger,
    size = maxCounted,
  ): Promise<Limits | null> {
    if (!config.enabled) return null
    const timeWindow = windowOf(config.interval)
    const options = { global: false, max: config.max, timeWindow }
    const local = await limitersOf(app, size, options)
    if (config.redis === undefined) return new Limits(log, local, null, async () => {})
    const redis = await connect(config.redis)
    const shared = await limitersOf(app, size, { ...options, redis, nameSpace: config.prefix })
    return new Limits(log, local, shared, async () => redis.disconnect())
  }

  /**
   * Counts a use for the address of the request, and for its account if it names one. Throws a 429 if one of them has
   * made too many; sets the headers of v4 on `reply`, which an answer about several uses does not have. What an address
   * may not do is not counted for the account: nobody uses up the counters of accounts by requests that are refused.
   */
  async check(request: FastifyRequest, reply: FastifyReply | null, use: Use): Promise<void> {
    const byAddress = await this.#count(request, `a ${use.route} ${normalizeIP(request.ip)}`, one => one.byAddress)
    if (byAddress.isExceeded) return refuse(reply, byAddress)
    const counters = await use.findCounters()
    const byAccount = await Promise.all(
      counters.map(({ kind, key }) => this.#count(request, `${kind} ${use.route} ${key}`, one => one.byAccount[kind])),
    )
    const exceeded = byAccount.find(one => one.isExceeded)
    if (exceeded !== undefined) return refuse(reply, exceeded)
    // The remaining requests of a user would tell that two names are those of one user.
    const isNamed = counters.some(one => one.kind === 'name')
    const visibleCounts = byAccount.filter((_, i) => !isNamed || counters[i]!.kind === 'name')
    setHeaders(
      reply,
      visibleCounts.reduce((a, b) => (b.remaining < a.remaining ? b : a), byAddress),
    )
  }

  /** Without Redis, each process counts for itself: a login is never unlimited (security.md F15). */
  async #count(request: FastifyRequest, key: string, choose: (limiters: Limiters) => Limiter): Promise<CountedRefusal> {
    if (this.#shared === null) return countWith(choose(this.#local), request, key)
    try {
      const counted = await countWith(choose(this.#shared), request, key)
      if (this.#isRedisAway) this.#log.info('The Redis server of ratelimit answers again')
      this.#isRedisAway = false
      return counted
    } catch (error) {
      if (!this.#isRedisAway)
        this.#log.error(error, 'The Redis server of ratelimit does not answer; requests are counted in this process')
      this.#isRedisAway = true
      return countWith(choose(this.#local), request, key)
    }
  }
}

function setHeaders(reply: FastifyReply | null, { max, remaining, ttl }: CountedRefusal): void {
  reply?.header('x-ratelimit-limit', String(max))
  reply?.header('x-ratelimit-remaining', String(remaining))
  reply?.header('x-ratelimit-reset', String(Math.ceil((Date.now() + ttl) / 1000)))
}

function refuse(reply: FastifyReply | null, counted: CountedRefusal): never {
  setHeaders(reply, counted)
  reply?.header('retry-after', String(Math.max(1, Math.ceil(counted.ttl / 1000))))
  throw new PlinthError(429, 'RateLimitError', 'Too many requests, please try again later.')
}

/** The key is read before the limiter first waits, so several uses of one request do not meet. */
function countWith(limiter: Limiter, request: FastifyRequest, key: string): Promise<CountedRefusal> {
  keys.set(request, key)
  return limiter(request) as Promise<CountedRefusal>
}

/** Each store has a scope of its own: the plugin decorates a scope once. */
async function limitersOf(app: FastifyInstance, cache: number, options: RateLimitPluginOptions): Promise<Limiters> {
  let limiters: Limiters | undefined
  await app.register(async scope => {
    await scope.register(fastifyRateLimit, options)
    // A limiter does not inherit the size of its store.
    const settings = { cache, keyGenerator: (request: FastifyRequest) => keys.get(request)! }
    const limiter = () => scope.createRateLimit(settings)
    limiters = { byAddress: limiter(), byAccount: { user: limiter(), name: limiter() } }
  })
  return limiters!
}

async function connect(url: string) {
  const module = await import('ioredis').catch(() => null)
  if (module === null)
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      'config/plugins: users-permissions.config.ratelimit.redis: needs the package ioredis: npm install ioredis',
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
