// The callers that wait for a connection because all are in use. Knows neither the pool nor how connections are opened.

import { UnavailableError } from '../errors.ts'
import type { DriverSession } from './connection-driver.ts'
import { takenError } from './state.ts'
import type { IsAbandoned } from './usage.ts'

interface Waiting {
  /** Who asks, equal for all reads of one caller; its own for a write, and for a read that nobody counts. */
  readonly caller: object
  readonly isAbandoned: IsAbandoned | null
  readonly resolve: (session: DriverSession | Promise<DriverSession>) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** A caller who waits for a connection. */
interface WaitOptions {
  readonly isAbandoned: IsAbandoned | null
  /** Missing for a write, and for a read that nobody counts. */
  readonly caller: object | null
  /** In milliseconds. */
  readonly waitTimeout: number
}

/**
 * Those who wait. Callers take turns: one who sends many reads at once does not keep the first read of another waiting until
 * all of them have run.
 */
export class AcquireQueue {
  /** By caller: the next one is of the first caller, who is the last one then. */
  readonly #waiting = new Map<object, Set<Waiting>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /**
   * Resolves with the connection that serve() is given for this caller. Throws UnavailableError after `waitTimeout`
   * milliseconds.
   */
  wait({ isAbandoned, caller, waitTimeout }: WaitOptions): Promise<DriverSession> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#refuse(waiting, takenError()), Math.max(0, waitTimeout))
      const waiting: Waiting = { caller: caller ?? timer, isAbandoned, resolve, reject, timer }
      const own = this.#waiting.get(waiting.caller)
      if (own === undefined) this.#waiting.set(waiting.caller, new Set([waiting]))
      else own.add(waiting)
      this.#size++
    })
  }

  /** Gives a connection, or the attempt to open one, to the next caller. There must be one. */
  serve(session: DriverSession | Promise<DriverSession>): void {
    this.#next()!.resolve(session)
  }

  /** Refuses the callers whose clients no longer wait. */
  refuseAbandoned(): void {
    for (const own of [...this.#waiting.values()])
      for (const waiting of own)
        if (waiting.isAbandoned?.() === true)
          this.#refuse(waiting, new UnavailableError('The client no longer waits for the answer'))
  }

  /** Refuses all callers. */
  close(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next())
      next.reject(new UnavailableError('The database is closed'))
  }

  #refuse(waiting: Waiting, error: UnavailableError): void {
    this.#remove(waiting)
    waiting.reject(error)
  }

  #remove(waiting: Waiting): void {
    const own = this.#waiting.get(waiting.caller)
    if (own?.delete(waiting) !== true) return
    if (own.size === 0) this.#waiting.delete(waiting.caller)
    this.#size--
    clearTimeout(waiting.timer)
  }

  #next(): Waiting | undefined {
    for (const [caller, own] of this.#waiting) {
      const [next] = own
      this.#remove(next!)
      if (own.size > 0) {
        this.#waiting.delete(caller)
        this.#waiting.set(caller, own)
      }
      return next
    }
    return undefined
  }
}
