// The callers that wait for a connection because all are in use. Knows neither the pool nor how connections are opened.

import { UnavailableError } from '../errors.ts'
import type { DriverSession } from './connection-driver.ts'
import { takenError } from './state.ts'
import { type Turn, Turns } from './turns.ts'
import type { IsAbandoned } from './usage.ts'

interface WaitingCaller extends Turn {
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
  /** Equal for reads that cost about the same; missing for a write. */
  readonly shape?: object | undefined
  /** In milliseconds. */
  readonly waitTimeout: number
}

/** The callers that wait for a connection, which take turns. */
export class AcquireQueue {
  readonly #waiting = new Turns<WaitingCaller>()

  get size(): number {
    return this.#waiting.size
  }

  /**
   * Resolves with the connection that serve() is given for this caller. Throws UnavailableError after `waitTimeout`
   * milliseconds.
   */
  wait({ isAbandoned, caller, shape, waitTimeout }: WaitOptions): Promise<DriverSession> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#refuse(waiting, takenError()), Math.max(0, waitTimeout))
      const waiting = { caller: caller ?? timer, shape: shape ?? timer, isAbandoned, resolve, reject, timer }
      this.#waiting.add(waiting)
    })
  }

  /** Gives a connection, or the attempt to open one, to the next caller. There must be one. */
  serve(session: DriverSession | Promise<DriverSession>): void {
    this.#next()!.resolve(session)
  }

  /** Refuses the callers whose clients no longer wait. */
  refuseAbandoned(): void {
    for (const waiting of this.#waiting.all())
      if (waiting.isAbandoned?.() === true)
        this.#refuse(waiting, new UnavailableError('The client no longer waits for the answer'))
  }

  /** Refuses all callers. */
  close(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next())
      next.reject(new UnavailableError('The database is closed'))
  }

  #refuse(waiting: WaitingCaller, error: UnavailableError): void {
    if (this.#waiting.delete(waiting)) clearTimeout(waiting.timer)
    waiting.reject(error)
  }

  #next(): WaitingCaller | undefined {
    const next = this.#waiting.take()
    clearTimeout(next?.timer)
    return next
  }
}
