// Does not read a connection for some time after a request on it was refused because there was too much to do, if very many
// are refused: clients that ask again at once would leave no time for others.

import type { Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Kernel, UnavailableError } from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { responseOf } from './budget/requests.ts'
import { trustOf } from './client-address.ts'
import { trustProxyOf } from './proxy.ts'

/** Refusals a second above which connections are paused, and those that may come together before. */
const rate = 100
const burst = 100

/** Milliseconds between two looks at the paused connections. */
const interval = 20

/**
 * The paused connections of a server. They are read again one after the other, a hundred a second, and at the latest when
 * the `retryAfter` of their errors has passed.
 */
class PausedConnections {
  /** Returns whether an address is that of a proxy, whose connections are of many clients. */
  readonly isProxy: (address: string) => boolean
  /** The connections, each with the time (of performance.now()) until which it is paused. */
  readonly #paused = new Map<Socket, number>()
  /** The responses after which a connection is paused: one may be refused many times, as for a batch of operations. */
  readonly #awaited = new WeakSet<ServerResponse>()
  /** The time at which the connection that is refused next would be read. */
  #next = 0
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(isProxy: (address: string) => boolean) {
    this.isProxy = isProxy
  }

  /** Pauses a connection after a response, if too many requests are refused. */
  pauseAfter(response: ServerResponse, socket: Socket, retryAfter: number): void {
    if (this.#isStopped || this.#awaited.has(response)) return
    const until = this.#reserve(retryAfter)
    if (until === null) return
    this.#awaited.add(response)
    // Node reads on when it has finished an answer.
    response.once('finish', () => setImmediate(() => this.#pause(socket, until)))
  }

  /** Returns the time until which the connection that is refused now is paused; null if it is not. */
  #reserve(retryAfter: number): number | null {
    const now = performance.now()
    const earliest = now - (1000 / rate) * burst
    this.#next = Math.min(now + retryAfter * 1000, Math.max(this.#next, earliest) + 1000 / rate)
    return this.#next - now < interval ? null : this.#next
  }

  #pause(socket: Socket, until: number): void {
    if (this.#isStopped || socket.destroyed) return
    socket.pause()
    this.#paused.set(socket, until)
    this.#timer ??= setInterval(() => this.#resume(performance.now()), interval).unref()
  }

  /** Reads the connections whose time has come. */
  #resume(now: number): void {
    for (const [socket, until] of this.#paused) {
      if (until > now) continue
      this.#paused.delete(socket)
      socket.resume()
    }
    if (this.#paused.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  /** Reads all connections again, and pauses none any more. */
  stop(): void {
    this.#isStopped = true
    this.#resume(Number.POSITIVE_INFINITY)
  }
}

const pausedOf = new WeakMap<FastifyInstance['server'], PausedConnections>()

/** Lets connections of a server be paused (pauseAfterRefusal) until it closes. */
export function allowPausing(app: FastifyInstance, { config }: Kernel): void {
  const trust = trustOf(trustProxyOf(config.server ?? {}))
  const paused = new PausedConnections(address => trust(address, 0))
  pausedOf.set(app.server as Server, paused)
  app.addHook('preClose', async () => paused.stop())
}

/**
 * Pauses the connection of a request when the request is answered, if it was refused because there was too much to do
 * (`isOverload`) and more than a hundred requests a second are. A connection of HTTP/2, or of a proxy that is trusted, is of
 * many pages or clients, and is never paused; nor is one of a server that has other routes.
 */
export function pauseAfterRefusal(request: FastifyRequest, { isOverload, retryAfter }: UnavailableError): void {
  const response = responseOf(request)
  if (!isOverload || response === null || request.raw.httpVersionMajor !== 1) return
  const { socket } = request.raw
  const paused = pausedOf.get(request.server.server)
  // An injected request does not have a real socket.
  if (paused === undefined || !(socket instanceof Socket) || paused.isProxy(socket.remoteAddress ?? '')) return
  paused.pauseAfter(response, socket, retryAfter)
}
