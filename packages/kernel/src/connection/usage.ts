// Declares the properties of a read that the connection which runs it receives, and the state of a connection to a
// server. Knows neither a driver nor the supervisor of connections.

import type { UnavailableError } from '../errors.ts'
import type { RowBytes } from '../row-bytes.ts'

/** Returns true if the client no longer waits for the answer. */
export type IsAbandoned = () => boolean

/** A read outside of transactions, as a connection or a process runs it. */
export interface Reading {
  readonly isAbandoned?: IsAbandoned | undefined
  /** Counts the bytes of its rows; without it, nobody does. */
  readonly bytes?: RowBytes | null
  /** Reads of one shape cost about the same. */
  readonly shape?: object | undefined
}

/**
 * The state of a connection to a server. The kernel records who uses the connection and which statements of knex it runs;
 * whoever looks after the connections of a server reads it.
 */
export interface Usage {
  /** Statements sent and completed so far; they differ while one runs. */
  begun: number
  ended: number
  /** COMMIT was sent: only the server knows its outcome, so it is not cancelled. */
  isCommitting: boolean
  /** Later statements are refused with this error, and the connection is not used again. */
  refusal: UnavailableError | null
  /** No time limits apply: the connection changes tables. */
  isUnlimited: boolean
  /** Returns true while a stream of rows waits for its reader, and not for the server; null if there is no stream. */
  isPaused: (() => boolean) | null
  /** Records that the connection was acquired, by a read or for something else. */
  take(reading: Reading | null): void
  /** Records that the connection was released. */
  release(): void
  /** Records that a running statement has returned another row. */
  progress(): void
}
