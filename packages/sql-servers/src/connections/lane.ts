// Limits how many callers run at a time; the others wait in turns, until a deadline. Does not depend on connections.

import { type IsAbandoned, type Turn, Turns, takenError, UnavailableError } from '@plinth/kernel/database'

/** A waiting caller, with the limits of its time. */
export interface Wait extends Turn {
  /** In the milliseconds of `performance.now()`. */
  readonly deadline: number
  readonly isAbandoned?: IsAbandoned | undefined
}

interface WaitingCaller extends Turn {
  readonly enter: () => void
  readonly refuse: (error: unknown) => void
  readonly isAbandoned: IsAbandoned | undefined
}

/** A semaphore with `width` permits. */
export class Lane {
  #width: number
  readonly #maxWaiting: number
  readonly #waiting = new Turns<WaitingCaller>()
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
    while (this.#taken < width && this.hasWaiting) {
      this.#taken++
      this.#waiting.take()!.enter()
    }
  }

  /** True if no caller holds a permit or waits. */
  get isIdle(): boolean {
    return this.#taken === 0 && !this.hasWaiting
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
    if (this.hasWaiting && this.#taken <= this.#width) this.#waiting.take()!.enter()
    else this.#taken--
  }

  /** Lets in all callers of a shape that wait, beyond the width. */
  open(shape: object): void {
    for (const waiting of this.#waiting.all()) {
      if (waiting.shape !== shape || !this.#waiting.delete(waiting)) continue
      this.#taken++
      waiting.enter()
    }
  }

  #wait({ deadline, isAbandoned, caller, shape }: Wait): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) throw takenError('Too many slow queries wait for the database')
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        reject(error)
      }
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const late = () => refuse(takenError('All database connections for slow queries are in use'))
      const timer = setTimeout(late, Math.max(0, deadline - performance.now()))
      const waiting: WaitingCaller = { caller, shape, enter, refuse, isAbandoned }
      this.#waiting.add(waiting)
    })
  }

  /** Refuses callers whose client no longer waits. */
  sweep(): void {
    for (const { refuse, isAbandoned } of this.#waiting.all())
      if (isAbandoned?.() === true) refuse(new UnavailableError('The client no longer waits for the answer'))
  }
}
