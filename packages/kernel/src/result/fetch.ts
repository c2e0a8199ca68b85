// The state that the statements of one fetch share: the session, the values, and the limits of its rows.

import type { Session } from '../connection/session.ts'
import type { Context } from '../context.ts'
import type { RowBytes } from '../row-bytes.ts'
import type { RowCount } from '../row-count.ts'

/** The arguments of a fetch in addition to the rows, and its counts. */
export interface Fetch {
  readonly session: Session
  readonly values: readonly unknown[]
  readonly context: Context
  /** Number of fetched rows that are entries of the answer, each at least once. */
  entries: number
  /** The rows that are counted, which other reads may share. */
  readonly rowCount: RowCount
  /** The number of these rows that this fetch has read. */
  counted: number
  /** Counts the bytes of the rows; null if nobody does, or if the session does. */
  readonly bytes: RowBytes | null
  /** True if the snapshot of the read is to end with its last statements. */
  readonly endsSnapshot: boolean
}
