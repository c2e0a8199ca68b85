// The state of a connection to a server: what it is used for, and the progress of its statements. Sessions count their
// statements here, the pool records who uses the connection, and the sweep (sweep.ts) reads both. Does not depend on a
// driver.

import type {
  IsAbandoned,
  Reading,
  RowBytes,
  StatementObserver,
  UnavailableError,
  Usage,
} from '@plinth/kernel/database'

/** A read that has had a connection for this number of sweeps is slow: 500 to 750 ms. */
const slowSweeps = 3

/** One per connection, for as long as it lives. */
export class ServerUsage implements Usage {
  /** Statements sent and completed so far; they differ while one runs. */
  begun = 0
  ended = 0
  /** COMMIT was sent: only the server knows its outcome, so it is not cancelled. */
  isCommitting = false
  /** Later statements are refused with this error, and the connection is not used again. */
  refusal: UnavailableError | null = null
  /** True if the connection is in use. */
  isTaken = false
  /** A read outside any transaction, which may be cancelled at any time. */
  isReading = false
  /** No time limits apply: the connection changes tables. */
  isUnlimited = false
  isAbandoned: IsAbandoned | null = null
  /** Counts the rows of the read; null if nobody counts them. */
  bytes: RowBytes | null = null
  /** Ends the running read with an error; resolves when the server was asked to cancel its statement. */
  interrupt: (error: UnavailableError) => Promise<unknown> = () => Promise.resolve()
  /** True while the rows of the read do not arrive, because there is no room for them. */
  isWithoutRoom = false
  /** True if that has happened: how long the read took says little about it then. */
  hasPaused = false
  /** Called when that begins. */
  onPause: () => void = () => {}
  /** The shape of the read: an object that reads of about the same cost share. */
  shape: object | null = null
  /** The observer of the caller that uses the connection; null if there is none. */
  observer: StatementObserver | null = null
  /** Returns true while a stream of rows waits for its reader, and not for the server; null if there is no stream. */
  isPaused: (() => boolean) | null = null
  /** Sweeps since the connection was acquired. */
  sweeps = 0
  /** Sweeps since a statement was last completed, while another one runs. */
  stalled = 0
  #endedAtLastSweep = 0

  /** Records that the connection was acquired, by a read or for something else. */
  take(reading: Reading | null): void {
    this.shape = reading?.shape ?? null
    this.isTaken = true
    this.isReading = reading !== null
    this.isAbandoned = reading?.isAbandoned ?? null
    this.bytes = reading?.bytes ?? null
    this.isCommitting = false
    this.hasPaused = false
    this.sweeps = 0
    this.stalled = 0
  }

  /** Records that the connection was released. */
  release(): void {
    this.isTaken = false
    this.isAbandoned = null
    this.bytes = null
    this.shape = null
  }

  /** Records that a statement is sent. Returns the observer, which end() takes. */
  begin(): StatementObserver | null {
    const { observer } = this
    this.begun++
    if (observer !== null) observer.onBegin()
    return observer
  }

  /** Records that the result of a statement has arrived. */
  end(observer: StatementObserver | null): void {
    this.ended++
    if (observer !== null) observer.onEnd()
  }

  /** Records that a running statement has returned another row. */
  progress(): void {
    this.begun++
    this.ended++
  }

  /** Counts a sweep. */
  age(): void {
    this.sweeps++
    const isStalled = this.isRunning && this.ended === this.#endedAtLastSweep && this.isPaused?.() !== true
    this.stalled = isStalled ? this.stalled + 1 : 0
    this.#endedAtLastSweep = this.ended
  }

  /** True if the connection has been in use for long. */
  get isSlow(): boolean {
    return this.sweeps >= slowSweeps
  }

  /** True if a statement runs. */
  get isRunning(): boolean {
    return this.begun !== this.ended
  }
}
