// Sends CORS headers, which say which other origins may read answers, and answers preflights (B-1.60 to B-1.62).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CorsConfig, OriginFunction } from './config.ts'

/** All origins (true), none (false), or the listed ones. */
type Origins = boolean | string[]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const headers = ['Content-Type', 'Authorization', 'Origin', 'Accept', 'Strapi-Response-Format']

/** `config` of a route that a @fastify/cors of the server must skip, because its hook runs for all routes. */
export const withoutServerCors: Readonly<Record<string, unknown>> = { cors: false }

/**
 * Registers the hook that sends the headers and answers preflights. If the server also has other routes (`isShared`),
 * it answers only preflights for Plinth's paths. @fastify/cors is not used, because a server can register it only once.
 */
export function registerCors(app: FastifyInstance, config: CorsConfig, isShared: boolean): void {
  const origin = typeof config.origin === 'function' ? config.origin : configuredOrigins(config)
  if (isEmpty(origin)) app.log.warn(`${setting} lists no origin, so no other one may read the answers (CORS)`)
  if (origin === true && process.env.NODE_ENV === 'production') {
    app.log.warn(`Every origin may read the answers (CORS); list the allowed ones in ${setting}`)
  }
  if (isShared)
    app.addHook('onRoute', route => {
      route.config = { ...withoutServerCors, ...route.config }
    })
  const headersOf = new CorsHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    const answer = (allowed: Origins) => {
      if (!headersOf.send(allowed, request, reply)) done()
    }
    // The path may belong to another route below the prefix, for which Plinth must not allow anything.
    if (isShared && isPreflight(request) && request.is404) return done()
    if (typeof origin !== 'function') return answer(origin)
    ask(origin, request).then(answer, done)
  })
}

const setting = 'rest.config.cors.origin of config/plugins'

/** All origins if the setting is left out, and none if its value is missing, as that of a variable that is not set. */
function configuredOrigins(config: CorsConfig): Origins {
  return Object.hasOwn(config, 'origin') ? readOrigins(config.origin) : true
}

const isEmpty = (origins: unknown): boolean => origins === false || (Array.isArray(origins) && origins.length === 0)

/** The CORS headers of one configuration. */
class CorsHeaders {
  readonly #credentials: boolean
  /** Null if the header is not sent (B-1.61). */
  readonly #exposed: string | null
  readonly #preflight: Readonly<Record<string, string>>

  constructor(config: CorsConfig) {
    this.#credentials = config.credentials ?? true
    this.#exposed = listOf(config.expose)?.join(', ') || null
    this.#preflight = {
      'access-control-allow-methods': (listOf(config.methods) ?? methods).join(', '),
      'access-control-allow-headers': (listOf(config.headers) ?? headers).join(', '),
      'access-control-max-age': String(config.maxAge ?? 31536000),
      'content-length': '0',
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
    if (origin) reply.code(204).headers(this.#preflight).send()
    else reply.code(400).type('text/plain').send('Invalid Preflight Request')
    return true
  }
}

/**
 * Whether an origin may read answers. Browsers send `null` for pages of which nobody knows the origin, such as files and
 * sandboxed frames: any page can have it, so it must be listed (security.md row 69).
 */
function isAllowed(origin: string, allowed: Exclude<Origins, false>): boolean {
  return allowed === true ? origin !== 'null' : allowed.includes(origin)
}

/** OPTIONS without this header only requests the methods of a path (B-1.36). */
function isPreflight({ raw }: FastifyRequest): boolean {
  return raw.method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined
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

/**
 * Parses origins as v4 does: one, several separated by commas, or a list; "*" allows all. Null and undefined allow
 * none.
 */
function readOrigins(given: unknown): Origins {
  if (typeof given === 'boolean') return given
  const origins = listOf(given as List | null | undefined)
  if (origins === undefined) return false
  return origins.includes('*') ? true : origins
}

/** Words separated by commas, or a list, whose members may be missing. */
type List = string | readonly (string | null | undefined)[]

function listOf(given: List | null | undefined): string[] | undefined {
  if (given === undefined || given === null) return undefined
  const parts = typeof given === 'string' ? given.split(',') : given
  return parts.flatMap(one => one?.trim() || [])
}
