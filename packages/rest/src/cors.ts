// Sends CORS headers, which say which other origins may read answers, and answers preflights (B-1.60 to B-1.62).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CorsConfig, OriginFunction } from './config.ts'
import { faultsOf, listOf, type Origins, readOrigins } from './cors-origins.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** The headers that v4 allows, then those that plugins of Plinth and the usual clients of the dialect send: Apollo's, and those that trace. */
const headers = [
  ...['Content-Type', 'Authorization', 'Origin', 'Accept', 'Strapi-Response-Format'],
  ...['Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Requested-With'],
  ...[
    'apollo-require-preflight',
    'x-apollo-operation-name',
    'apollographql-client-name',
    'apollographql-client-version',
  ],
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
]

/** `config` of a route that a @fastify/cors of the server must skip, because its hook runs for all routes. */
export const withoutServerCors: Readonly<Record<string, unknown>> = { cors: false }

/** Sets the headers of an answer; true, or a promise of it, if the request was a preflight, which it has answered. */
export type SendCors = (request: FastifyRequest, reply: FastifyReply) => boolean | Promise<boolean>

/**
 * Returns the function that sets the headers and answers preflights, for an onRequest hook. If the server also has other
 * routes (`isShared`), it answers only preflights for Plinth's paths. @fastify/cors is not used, because a server can
 * register it only once.
 */
export function corsOf(app: FastifyInstance, config: CorsConfig, isShared: boolean): SendCors {
  const origin = typeof config.origin === 'function' ? config.origin : configuredOrigins(config)
  for (const fault of faultsOf(config.origin)) app.log.warn(`${setting}: ${fault}, so it allows nobody (CORS)`)
  if (isEmpty(origin)) app.log.warn(`${setting} lists no origin, so no other one may read the answers (CORS)`)
  if (origin === true && process.env.NODE_ENV === 'production') {
    app.log.warn(`Every origin may read the answers (CORS); list the allowed ones in ${setting}`)
  }
  if (isShared)
    app.addHook('onRoute', route => {
      route.config = { ...withoutServerCors, ...route.config }
    })
  const headersOf = new CorsHeaders(config)
  if (headersOf.exposesAll) app.addHook('onSend', exposeAll)
  return (request, reply) => {
    // The path may belong to another route below the prefix, for which Plinth must not allow anything.
    if (isShared && isPreflight(request) && request.is404) return false
    if (typeof origin !== 'function') return headersOf.send(origin, request, reply)
    return ask(origin, request).then(allowed => headersOf.send(allowed, request, reply))
  }
}

/** The headers of an answer to a caller who may read it and sends no origin, in the order in which they are set. */
export function usualCorsHeaders(config: CorsConfig): Readonly<Record<string, string>> {
  return new CorsHeaders(config).usual
}

const setting = 'rest.config.cors.origin of config/plugins'

/** All origins if the setting is left out, and none if its value is missing, as that of a variable that is not set. */
function configuredOrigins(config: CorsConfig): Origins {
  return Object.hasOwn(config, 'origin') ? readOrigins(config.origin) : true
}

const isEmpty = (origins: unknown): boolean => origins === false || (Array.isArray(origins) && origins.length === 0)

/** The headers of a preflight that ask for methods and headers. */
const questions: Readonly<Record<string, string>> = {
  methods: 'access-control-request-method',
  headers: 'access-control-request-headers',
}

/** The CORS headers of one configuration. */
class CorsHeaders {
  readonly #credentials: boolean
  /** True if scripts may read all headers of answers. */
  readonly exposesAll: boolean
  /** Null if the header is not sent (B-1.61). */
  readonly #exposed: string | null
  readonly #preflight: Readonly<Record<string, string>>
  /** Lists that allow whatever a preflight asks for, by the headers of the question. */
  readonly #echoed: readonly (readonly [string, string])[]

  constructor(config: CorsConfig) {
    this.#credentials = config.credentials ?? true
    const exposed = listOf(config.expose)
    // Browsers take "*" for a name if credentials are sent.
    this.exposesAll = this.#credentials && exposed?.includes('*') === true
    this.#exposed = this.exposesAll ? null : exposed?.join(', ') || null
    this.#preflight = {
      'access-control-allow-methods': (listOf(config.methods) ?? methods).join(', '),
      'access-control-allow-headers': (listOf(config.headers) ?? headers).join(', '),
      'access-control-max-age': String(config.maxAge ?? 31536000),
      'content-length': '0',
    }
    // Here too, and "*" never means `Authorization`.
    this.#echoed = ['methods', 'headers'].flatMap(name =>
      listOf(config[name as 'methods'])?.includes('*')
        ? [[`access-control-allow-${name}`, questions[name]!] as const]
        : [],
    )
  }

  /** The headers that `send` sets for a caller who may read the answer and sends no origin. */
  get usual(): Readonly<Record<string, string>> {
    return {
      vary: 'Origin',
      ...(this.#credentials && { 'access-control-allow-credentials': 'true' }),
      ...(this.#exposed !== null && { 'access-control-expose-headers': this.#exposed }),
    }
  }

  /** Sets the headers of an answer. Returns true if the request was a preflight, which it has then answered. */
  send(allowed: Origins, request: FastifyRequest, reply: FastifyReply): boolean {
    const { origin } = request.raw.headers
    addVary(reply)
    if (allowed === false) return false
    if (origin && isAllowed(origin, allowed)) reply.header('access-control-allow-origin', origin)
    if (this.#credentials) reply.header('access-control-allow-credentials', 'true')
    if (this.#exposed !== null) reply.header('access-control-expose-headers', this.#exposed)
    if (!isPreflight(request)) return false
    if (origin) {
      reply.code(204).headers(this.#preflight)
      for (const [name, question] of this.#echoed) reply.header(name, request.headers[question] ?? '*')
      reply.send()
    } else reply.code(400).type('text/plain').send('Invalid Preflight Request')
    return true
  }
}

/**
 * Returns whether an origin may read answers. Browsers send `null` for pages of which nobody knows the origin, such as files and
 * sandboxed frames: any page can have it, so it must be listed (security.md row 69).
 */
function isAllowed(origin: string, allowed: Exclude<Origins, false>): boolean {
  return allowed === true ? origin !== 'null' : allowed.includes(origin)
}

/** OPTIONS without this header only requests the methods of a path (B-1.36). */
function isPreflight({ raw }: FastifyRequest): boolean {
  return raw.method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined
}

/** onSend hook: names the headers of an answer. */
function exposeAll(
  _: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const names = Object.keys(reply.getHeaders()).filter(name => !name.startsWith('access-control-'))
  reply.header('access-control-expose-headers', names.join(', '))
  done(null, payload)
}

/** Tells caches that answers depend on the origin. */
function addVary(reply: FastifyReply): void {
  const before = reply.getHeader('vary')
  if (before === undefined) {
    reply.header('vary', 'Origin')
    return
  }
  const vary = String(before)
  const names = vary.toLowerCase().split(/\s*,\s*/)
  if (!names.includes('origin') && !names.includes('*')) reply.header('vary', `${vary}, Origin`)
}

async function ask(origin: OriginFunction, request: FastifyRequest): Promise<Origins> {
  return readOrigins(await origin(request))
}
