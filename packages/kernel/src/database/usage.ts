// What a connection to a server is used for at the moment, and how far its statements have come. Sessions count their
// statements here, the pool says who has the connection, and the sweep (sweep.ts) reads both. Knows no driver.

import type { UnavailableError } from '../errors.ts'

/** Does nobody wait for the answer any more? */
export type IsAbandoned = () => boolean

/** Whoever has a connection for so many sweeps is slow: 500 to 750 ms. */
const slowSweeps = 3

/** One per connection, for as long as it lives. */
export class Usage {
  /** Statements sent and answered so far; they differ while one runs. */
  begun = 0
  ended = 0
  /** COMMIT was sent: what becomes of it is the server's word, so it is not cancelled. */
  isCommitting = false
  /** What is asked from now on is refused with this error, and the connection is not used again. */
  refusal: UnavailableError | null = null
  /** Is it given out? */
  isTaken = false
  /** A read outside of any transaction, which may be cancelled at any time. */
  isReading = false
  /** No limit of time applies: the connection changes tables. */
  isUnlimited = false
  isAbandoned: IsAbandoned | null = null
  /** What the read has in common with others that cost about the same. */
  shape: object | null = null
  /** Sweeps since it was given out. */
  sweeps = 0
  /** Sweeps since a statement was last answered, while another one runs. */
  stalled = 0
  #seen = 0

  /** The connection is given out; `isAbandoned` and `shape` only for reads. */
  take(isReading: boolean, isAbandoned: IsAbandoned | null, shape: object | null): void {
    this.shape = shape
    this.isTaken = true
    this.isReading = isReading
    this.isAbandoned = isAbandoned
    this.isCommitting = false
    this.sweeps = 0
    this.stalled = 0
  }

  /** The connection comes back. */
  release(): void {
    this.isTaken = false
    this.isAbandoned = null
    this.shape = null
  }

  /** Counts a sweep. */
  age(): void {
    this.sweeps++
    this.stalled = this.isRunning && this.ended === this.#seen ? this.stalled + 1 : 0
    this.#seen = this.ended
  }

  /** Has it been given out for long? */
  get isSlow(): boolean {
    return this.sweeps >= slowSweeps
  }

  /** Does a statement run? */
  get isRunning(): boolean {
    return this.begun !== this.ended
  }
}
