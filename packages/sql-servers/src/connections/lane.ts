// Limits how many callers run at a time; the others wait in order, until a deadline. Does not depend on connections.

import { type IsAbandoned, takenError, UnavailableError } from '@plinth/kernel/database'

/** The limits of the time that a caller waits. */
export interface Wait {
  /** In the milliseconds of `performance.now()`. */
  readonly deadline: number
  readonly isAbandoned?: IsAbandoned | undefined
}

interface Waiting {
  readonly enter: () => void
  readonly refuse: (error: unknown) => void
  readonly isAbandoned: IsAbandoned | undefined
}

/** A semaphore with `width` permits. */
export class Lane {
  #width: number
  readonly #maxWaiting: number
  readonly #waiting = new Set<Waiting>()
  #taken = 0

  constructor(width: number, maxWaiting: number) {
    this.#width = width
    this.#maxWaiting = maxWaiting
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** The number of callers that hold a permit. */
  get taken(): number {
    return this.#taken
  }

  get width(): number {
    return this.#width
  }

  /** Callers that hold a permit keep it. */
  set width(width: number) {
    this.#width = width
    for (const { enter } of this.#waiting) {
      if (this.#taken >= width) return
      this.#taken++
      enter()
    }
  }

  /** True if no caller holds a permit or waits. */
  get isIdle(): boolean {
    return this.#taken === 0 && this.#waiting.size === 0
  }

  /** Takes a permit. Throws UnavailableError if none becomes free in time, or if too many callers wait already. */
  async enter(wait: Wait): Promise<void> {
    if (this.#taken < this.#width) this.#taken++
    else await this.#wait(wait)
  }

  /** Takes a permit beyond the width, for a caller that is running already. */
  occupy(): void {
    this.#taken++
  }

  /** Releases a permit to the next caller that waits. */
  leave(): void {
    const [next] = this.#waiting
    if (next !== undefined && this.#taken <= this.#width) next.enter()
    else this.#taken--
  }

  /** Lets in all callers that wait. */
  open(): void {
    this.#taken += this.#waiting.size
    for (const { enter } of this.#waiting) enter()
  }

  #wait({ deadline, isAbandoned }: Wait): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) throw takenError('Too many slow queries wait for the database')
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
      }
      const refuse = (error: unknown) => {
        end()
        reject(error)
      }
      const enter = () => {
        end()
        resolve()
      }
      const late = () => refuse(takenError('All database connections for slow queries are in use'))
      const timer = setTimeout(late, Math.max(0, deadline - performance.now()))
      const waiting: Waiting = { enter, refuse, isAbandoned }
      this.#waiting.add(waiting)
    })
  }

  /** Refuses callers whose client no longer waits. */
  sweep(): void {
    for (const { refuse, isAbandoned } of this.#waiting)
      if (isAbandoned?.() === true) refuse(new UnavailableError('The client no longer waits for the answer'))
  }
}
