// The CORS headers of one configuration: sets those of answers, and answers preflights (B-1.60, B-1.61).

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CorsOptions } from './config.ts'
import type { HeaderNames } from './header-names.ts'
import { listOf, type Origins } from './origins.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** The headers of a preflight that ask for methods and headers. */
const questions: Readonly<Record<string, string>> = {
  methods: 'access-control-request-method',
  headers: 'access-control-request-headers',
}

/** The CORS headers of one configuration. */
export class CorsHeaders {
  readonly #names: HeaderNames
  readonly #credentials: boolean
  /** True if scripts may read all headers of answers. */
  readonly exposesAll: boolean
  /** The headers that the settings expose; null if there is none or all are, undefined if the settings name none. */
  readonly #exposed: string | null | undefined
  /** The headers that the settings allow; null if they name none. */
  readonly #allowed: string | null
  readonly #preflight: Readonly<Record<string, string>>
  /** Lists that allow whatever a preflight asks for, by the headers of the question. */
  readonly #echoed: readonly (readonly [string, string])[]

  constructor(options: CorsOptions, names: HeaderNames) {
    this.#names = names
    this.#credentials = options.credentials ?? true
    const exposed = listOf(options.expose)
    // Browsers take "*" for a name if credentials are sent.
    this.exposesAll = this.#credentials && exposed?.includes('*') === true
    this.#exposed = this.exposesAll ? null : exposed && (exposed.join(', ') || null)
    this.#allowed = listOf(options.headers)?.join(', ') ?? null
    this.#preflight = {
      'access-control-allow-methods': (listOf(options.methods) ?? methods).join(', '),
      // Replaced for each preflight, because plugins may add names; here for its place among the others.
      'access-control-allow-headers': '',
      'access-control-max-age': String(options.maxAge ?? 31536000),
      'content-length': '0',
    }
    // Here too, and "*" never means `Authorization`.
    this.#echoed = ['methods', 'headers'].flatMap(name =>
      listOf(options[name as 'methods'])?.includes('*')
        ? [[`access-control-allow-${name}`, questions[name]!] as const]
        : [],
    )
  }

  /** The headers that `send` sets for a caller who may read the answer and sends no origin. */
  get usual(): Readonly<Record<string, string>> {
    return {
      vary: 'Origin',
      ...(this.#credentials && { 'access-control-allow-credentials': 'true' }),
      ...(this.#exposed && { 'access-control-expose-headers': this.#exposed }),
    }
  }

  /** Sets the headers of an answer. Returns true if the request was a preflight, which it has then answered. */
  send(allowed: Origins, request: FastifyRequest, reply: FastifyReply): boolean {
    const { origin } = request.raw.headers
    addVary(reply)
    if (allowed === false) return false
    const isAllowedOrigin = Boolean(origin) && isAllowed(origin!, allowed)
    if (isAllowedOrigin) reply.header('access-control-allow-origin', origin)
    if (this.#credentials) reply.header('access-control-allow-credentials', 'true')
    const isAsked = isPreflight(request)
    const exposed = this.#exposedTo(isAllowedOrigin && !isAsked)
    if (exposed) reply.header('access-control-expose-headers', exposed)
    if (!isAsked) return false
    if (origin) {
      reply.code(204).headers(this.#preflight)
      reply.header('access-control-allow-headers', this.#allowed ?? this.#names.allowed.text)
      for (const [name, question] of this.#echoed) reply.header(name, request.headers[question] ?? '*')
      reply.send()
    } else reply.code(400).type('text/plain').send('Invalid Preflight Request')
    return true
  }

  /** The usual names and those of plugins are sent only to scripts that may read the answer: v4 sends none (B-1.61). */
  #exposedTo(isReader: boolean): string | null {
    if (this.#exposed !== undefined) return this.#exposed
    return isReader ? this.#names.exposed.text : null
  }
}

/**
 * Returns whether an origin may read answers. Browsers send `null` for pages of which nobody knows the origin, such as files and
 * sandboxed frames: any page can have it, so it must be listed (security.md row 69).
 */
function isAllowed(origin: string, allowed: Exclude<Origins, false>): boolean {
  return allowed === true ? origin !== 'null' : allowed.includes(origin)
}

/** Returns whether a request is a preflight. OPTIONS without this header only requests the methods of a path (B-1.36). */
export function isPreflight({ raw }: FastifyRequest): boolean {
  return raw.method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined
}

/** onSend hook: names the headers of an answer. */
export function exposeAll(
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
