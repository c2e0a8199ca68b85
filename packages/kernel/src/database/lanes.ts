// Slow reads take a bounded share of a server's connections, so that others always find one. Reads of one shape cost about
// the same: a shape is told apart by an object, such as a compiled plan, and is slow when its last run was.

import { UnavailableError } from '../errors.ts'
import type { Maybe } from './session.ts'
import type { IsAbandoned } from './usage.ts'

/** Most reads that wait for one lane. */
const mostWaiting = 100

type Speed = 'fast' | 'slow'

/** The connections that reads may use: those of slow shapes a quarter, those of unknown ones three quarters, fast ones all. */
export class Lanes {
  readonly #speeds = new WeakMap<object, Speed>()
  readonly #slow: Lane
  readonly #unknown: Lane
  /** Connections for slow reads. */
  readonly share: number

  /** `size`: connections of the pool; `patience`: milliseconds that a read waits. */
  constructor(size: number, patience: number) {
    this.share = Math.max(1, Math.floor(size / 4))
    this.#slow = new Lane(this.share, patience)
    this.#unknown = new Lane(Math.max(1, size - this.share), patience)
  }

  /** Where reads of this shape run; null: anywhere. */
  of(shape: object): Lane | null {
    const speed = this.#speeds.get(shape)
    if (speed === 'fast') return null
    return speed === 'slow' ? this.#slow : this.#unknown
  }

  /** Learns from a run. */
  learn(shape: object, speed: Speed): void {
    if (this.#speeds.get(shape) !== speed) this.#speeds.set(shape, speed)
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

/** Runs some at a time; the others wait in their order. */
export class Lane {
  readonly #width: number
  readonly #patience: number
  readonly #waiting = new Set<Waiting>()
  #running = 0

  constructor(width: number, patience: number) {
    this.#width = width
    this.#patience = patience
  }

  /** Throws UnavailableError where no place becomes free in time, or too many wait already. */
  async run<T>(work: () => Maybe<T>, isAbandoned?: IsAbandoned): Promise<T> {
    if (this.#running < this.#width) this.#running++
    else await this.#wait(isAbandoned)
    try {
      return await work()
    } finally {
      // A place goes from hand to hand.
      const next = this.#next()
      if (next === undefined) this.#running--
      else next.enter()
    }
  }

  #wait(isAbandoned: IsAbandoned | undefined): Promise<void> {
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
      const timer = setTimeout(late, this.#patience)
      const waiting: Waiting = { enter, refuse, isAbandoned }
      this.#waiting.add(waiting)
    })
  }

  #next(): Waiting | undefined {
    for (const waiting of this.#waiting) return waiting
    return undefined
  }

  /** Refuses those that nobody waits for any more. */
  sweep(): void {
    for (const { refuse, isAbandoned } of this.#waiting)
      if (isAbandoned?.() === true) refuse(new UnavailableError('Nobody waits for the answer'))
  }
}
