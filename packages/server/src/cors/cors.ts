// CORS of a server: which other origins may read its answers, and with which headers they may ask. It is the server's, so
// that all transports and routes have it; it knows no plugin, and plugins name the headers that are theirs.

import { type Kernel, StartError } from '@plinth/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { declareFirstHeaders } from '../constant-headers.ts'
import { type CorsOptions, type CorsSetting, type OriginFunction, serverSetting } from './config.ts'
import { faultsOf } from './faults.ts'
import { type CorsHeaderNames, HeaderNames } from './header-names.ts'
import { CorsHeaders, exposeAll, isPreflight } from './headers.ts'
import { type Origins, readOrigins } from './origins.ts'

const servers = new WeakMap<Kernel, Cors>()

const ownPlace = 'cors of config/server'

/** Opens CORS for the routes of a scope, with the settings of config/server. Throws StartError. */
export function openCors(kernel: Kernel, scope: FastifyInstance, isShared: boolean): Cors {
  const cors = new Cors(scope, isShared)
  servers.set(kernel, cors)
  const setting = serverSetting(kernel.config.server ?? {})
  if (setting !== undefined) cors.set(setting, ownPlace)
  return cors
}

/**
 * Sets CORS from a setting of a transport, which is older than `cors` of config/server and has the same meaning. `place` is
 * what messages call it. Call it in `register`. Does nothing without a server. Throws StartError if config/server has the
 * setting, too.
 */
export function setCors(kernel: Kernel, setting: CorsSetting, place: string): void {
  servers.get(kernel)?.set(setting, place)
}

/**
 * Names headers of a plugin or an application: `allow` those that requests of other origins may have, `expose` those of
 * answers that their scripts may read. They are added to the usual ones, and lists in the settings (`headers`, `expose`)
 * take the place of all of them. Call it in `register` or `onMount`. Does nothing without a server. Throws
 * RegistrationError for what is not the name of a header.
 */
export function addCorsHeaders(kernel: Kernel, names: CorsHeaderNames): void {
  servers.get(kernel)?.names.add(names)
}

/** Returns whether the server sends headers of CORS. Ask in `onMount`: transports set it in `register`. */
export function hasCors(kernel: Kernel): boolean {
  return servers.get(kernel)?.isOn ?? false
}

/** `config` of a route that a @fastify/cors of the server must skip, because its hook runs for all routes. */
export const withoutOtherCors: Readonly<Record<string, unknown>> = { cors: false }

/**
 * CORS of the routes in a scope. @fastify/cors is not used, because a server can register it only once. `isShared`: the server
 * also has routes that are not Plinth's, so only preflights for Plinth's paths are answered.
 */
export class Cors {
  readonly names = new HeaderNames()
  readonly #scope: FastifyInstance
  readonly #isShared: boolean
  /** Null if no headers are sent. */
  #headers: CorsHeaders | null
  #origin: Origins | OriginFunction = true
  /** Name of the setting in messages; null before it is made. */
  #place: string | null = null
  /** The paths of all routes, as registered. */
  readonly #paths = new Set<string>()

  constructor(scope: FastifyInstance, isShared: boolean) {
    this.#scope = scope
    this.#isShared = isShared
    this.#headers = new CorsHeaders({}, this.names)
    declareFirstHeaders(scope, this.#headers.usual)
    if (isShared)
      scope.addHook('onRoute', route => {
        if (!this.isOn) return
        this.#paths.add(route.url)
        route.config = { ...withoutOtherCors, ...route.config }
      })
  }

  get isOn(): boolean {
    return this.#headers !== null
  }

  /** Takes a setting. Throws StartError if there is one of another place already. */
  set(setting: CorsSetting, place: string): void {
    if (this.#place !== null)
      throw new StartError(
        'PLINTH_CONFIG_INVALID',
        `${this.#place} and ${place} are both set, and have the same meaning: keep that of config/server`,
      )
    this.#place = place
    const options = setting === true ? {} : setting
    this.#headers = options === false ? null : new CorsHeaders(options, this.names)
    declareFirstHeaders(this.#scope, this.#headers?.usual ?? {})
    if (options === false) return
    this.#origin = typeof options.origin === 'function' ? options.origin : configuredOrigins(options)
    for (const { option, text } of faultsOf(options)) this.#scope.log.warn(`${this.#placeOf(option)}: ${text} (CORS)`)
    if (this.#headers?.exposesAll) this.#scope.addHook('onSend', exposeAll)
  }

  /** Begins a request: sets the headers of its answer, and calls `done` unless it was a preflight, which it has answered. */
  begin(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const headers = this.#headers
    const origin = this.#origin
    // The path may belong to another route below a prefix of Plinth, for which Plinth must not allow anything.
    if (headers === null || (this.#isShared && isPreflight(request) && request.is404)) done()
    else if (typeof origin !== 'function') {
      if (!headers.send(origin, request, reply)) done()
    } else
      ask(origin, request)
        .then(allowed => headers.send(allowed, request, reply))
        .then(isAnswered => (isAnswered ? undefined : done()), done)
  }

  /** Warns of settings that allow more or less than the owner may mean. Called when all plugins are registered. */
  warn(): void {
    if (!this.isOn) return
    const { log } = this.#scope
    if (isEmpty(this.#origin))
      log.warn(`${this.#placeOf('origin')} lists no origin, so no other one may read the answers (CORS)`)
    if (this.#origin === true && process.env.NODE_ENV === 'production')
      log.warn(`Every origin may read the answers (CORS); list the allowed ones in ${this.#placeOf('origin')}`)
  }

  /**
   * Adds routes for preflights of all paths that have none, to a server that also has other routes: it would answer them
   * itself. Other requests with OPTIONS are answered by the server as before. Called when all routes are mounted.
   */
  mountPreflights(app: FastifyInstance): void {
    if (!this.isOn) return
    const hidden = { schema: { hide: true } as object }
    for (const url of [...this.#paths])
      if (!app.hasRoute({ method: 'OPTIONS', url }))
        app.options(url.slice(app.prefix.length), hidden, (_request, reply) => reply.callNotFound())
  }

  /** Returns the name of an option in messages. */
  #placeOf(option: string): string {
    const [name, ...rest] = (this.#place ?? ownPlace).split(' ')
    return [`${name}.${option}`, ...rest].join(' ')
  }
}

/** All origins if the setting is left out, and none if its value is missing, as that of a variable that is not set. */
function configuredOrigins(options: CorsOptions): Origins {
  return Object.hasOwn(options, 'origin') ? readOrigins(options.origin) : true
}

const isEmpty = (origins: unknown): boolean => origins === false || (Array.isArray(origins) && origins.length === 0)

async function ask(origin: OriginFunction, request: FastifyRequest): Promise<Origins> {
  return readOrigins(await origin(request))
}
