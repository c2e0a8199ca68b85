// Declares how reads report the bytes that they hold for a request, while rows arrive. A server decides who counts
// them, and against which limit: the kernel knows neither.

import type { UnavailableError } from './errors.ts'

/**
 * The bytes of the rows that are read for one request. Without one (`Context.share`), nothing is counted. What it counts are
 * rows as they came from the database: the bytes of their texts.
 */
export interface RowShare {
  /** An object that is the same for all shares of one caller: reads that wait for their turn are taken by it in rotation. */
  readonly caller?: object
  /** A read begins: a first part is claimed, if there is room. Each `beginRead` has one `endRead`. */
  beginRead(): void
  /** A read has ended; what it added remains. */
  endRead(): void
  /** Adds bytes that have arrived. False if no more may arrive before `roomForRows` has resolved. */
  addRows(bytes: number): boolean
  /** Takes back bytes of rows that were let go: their read has failed, or begins again. */
  removeRows(bytes: number): void
  /** The number of bytes that may arrive before `addRows` returns false. */
  readonly rowsLeft: number
  /**
   * Resolves when `bytes` more may arrive. Rejects with UnavailableError if that takes too long, or if the client has gone.
   */
  roomForRows(bytes?: number): Promise<void>
  /** The error of a read that cannot wait, as in a transaction. */
  refuseRows(): UnavailableError
}
