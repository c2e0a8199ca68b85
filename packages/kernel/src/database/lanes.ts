// Slow reads take a bounded share of a server's connections, so that others always find one. Reads of one shape cost about
// the same: a shape is told apart by an object, such as a compiled plan, and is slow when its last run was.

import { UnavailableError } from '../errors.ts'
import type { Maybe } from './session.ts'
import type { IsAbandoned } from './usage.ts'

/** Most reads that wait for one lane. */
const mostWaiting = 100

type Speed = 'fast' | 'slow'

/** The connections that reads may use: those of slow shapes an eighth, those of unknown ones the others, fast ones all. */
export class Lanes {
  readonly #speeds = new WeakMap<object, Speed>()
  readonly #slow: Lane
  readonly #unknown: Lane
  readonly #patience: number
  /** Connections for slow reads. */
  readonly share: number

  /** `size`: connections of the pool; `patience`: milliseconds that a read waits. */
  constructor(size: number, patience: number) {
    this.share = Math.max(1, Math.floor(size / 8))
    this.#patience = patience
    this.#slow = new Lane(this.share)
    this.#unknown = new Lane(Math.max(1, size - this.share))
  }

  /** May reads of this shape run anywhere? */
  isFast(shape: object): boolean {
    return this.#speeds.get(shape) === 'fast'
  }

  /** Do reads of shapes that nobody knows wait for others of such shapes? */
  get isCrowded(): boolean {
    return this.#unknown.hasWaiting
  }

  /** Learns from a run. */
  learn(shape: object, speed: Speed): void {
    this.#speeds.set(shape, speed)
  }

  /** Throws UnavailableError where no place becomes free in time, or too many wait already. */
  async run<T>(shape: object, work: () => Maybe<T>, isAbandoned?: IsAbandoned): Promise<T> {
    const deadline = performance.now() + this.#patience
    let lane = this.#speeds.get(shape) === 'slow' ? this.#slow : this.#unknown
    await lane.enter(deadline, isAbandoned)
    // Others of its shape may have turned out slow while it waited.
    if (lane === this.#unknown && this.#speeds.get(shape) === 'slow') {
      lane.leave()
      lane = this.#slow
      await lane.enter(deadline, isAbandoned)
    }
    try {
      return await work()
    } finally {
      lane.leave()
    }
  }

  /** Refuses those that nobody waits for any more. */
  sweep(): void {
    this.#slow.sweep()
    this.#unknown.sweep()
  }
}

interface Waiting {
  readonly enter: () => void
  readonly refuse: (error: unknown) => void
  readonly isAbandoned: IsAbandoned | undefined
}

/** Lets some in at a time; the others wait in their order. */
class Lane {
  readonly #width: number
  readonly #waiting = new Set<Waiting>()
  #taken = 0

  constructor(width: number) {
    this.#width = width
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** `deadline`: of `performance.now()`. */
  async enter(deadline: number, isAbandoned: IsAbandoned | undefined): Promise<void> {
    if (this.#taken < this.#width) this.#taken++
    else await this.#wait(deadline, isAbandoned)
  }

  /** A place goes from hand to hand. */
  leave(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#taken--
    else next.enter()
  }

  #wait(deadline: number, isAbandoned: IsAbandoned | undefined): Promise<void> {
    if (this.#waiting.size >= mostWaiting) throw new UnavailableError('Too many slow questions wait for the database')
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
      const late = () => refuse(new UnavailableError('Slow questions take too many database connections'))
      const timer = setTimeout(late, Math.max(0, deadline - performance.now()))
      const waiting: Waiting = { enter, refuse, isAbandoned }
      this.#waiting.add(waiting)
    })
  }

  sweep(): void {
    for (const { refuse, isAbandoned } of this.#waiting)
      if (isAbandoned?.() === true) refuse(new UnavailableError('Nobody waits for the answer'))
  }
}
