// Keeps a connection from being read for some time after a request on it was refused because there was too much to do, if
// very many are refused: clients that ask again at once would leave no time for others.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { UnavailableError } from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { responseOf } from './budget/requests.ts'

/** Refusals a second above which connections rest, and those that may come together before. */
const rate = 100
const burst = 100

/** Milliseconds between two looks at the connections that rest. */
const interval = 20

/** A connection that is not read until a time (of performance.now()). */
interface Resting {
  readonly socket: Socket
  readonly until: number
}

/**
 * The connections of a server that rest. They are read again one after the other, a hundred a second, and at the latest
 * when the time has passed that their clients were asked to wait (Retry-After).
 */
class RestingConnections {
  #resting: Resting[] = []
  /** The time at which the next refused connection would be read. */
  #next = 0
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  /** Returns the time until which a connection rests that is refused now; null if it does not. */
  nextTurn(retryAfter: number): number | null {
    const now = performance.now()
    const earliest = now - (1000 / rate) * burst
    this.#next = Math.min(now + retryAfter * 1000, Math.max(this.#next, earliest) + 1000 / rate)
    return this.#next - now < interval ? null : this.#next
  }

  begin(resting: Resting): void {
    if (this.#isStopped || resting.socket.destroyed) return
    resting.socket.pause()
    this.#resting.push(resting)
    this.#timer ??= setInterval(() => this.#wake(performance.now()), interval).unref()
  }

  /** Reads the connections whose time has come. */
  #wake(now: number): void {
    const due = this.#resting.filter(({ until }) => until <= now)
    this.#resting = this.#resting.filter(({ until }) => until > now)
    for (const { socket } of due) socket.resume()
    if (this.#resting.length > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  /** Reads all connections again, and lets none rest any more. */
  stop(): void {
    this.#isStopped = true
    this.#wake(Number.POSITIVE_INFINITY)
  }
}

const restingOf = new WeakMap<FastifyInstance['server'], RestingConnections>()

/** Lets the connections of a server rest (restConnection) until it closes. */
export function letConnectionsRest(app: FastifyInstance): void {
  const resting = new RestingConnections()
  restingOf.set(app.server as Server, resting)
  app.addHook('preClose', async () => resting.stop())
}

/**
 * Lets the connection of a request rest when the request is answered, if it was refused because there was too much to do
 * (`isOverload`) and more than a hundred requests a second are. A connection of HTTP/2, or of a proxy that is trusted, is of
 * many pages or clients, and never rests; nor does one of a server that has other routes.
 */
export function restConnection(request: FastifyRequest, { isOverload, retryAfter }: UnavailableError): void {
  const response = responseOf(request)
  if (!isOverload || response === null || request.raw.httpVersionMajor !== 1) return
  const resting = restingOf.get(request.server.server)
  if (resting === undefined) return
  if ((request.ips?.length ?? 1) > 1) return
  const until = resting.nextTurn(retryAfter)
  const { socket } = request.raw
  // Node reads on when it has finished an answer.
  if (until !== null) response.once('finish', () => setImmediate(() => resting.begin({ socket, until })))
}
