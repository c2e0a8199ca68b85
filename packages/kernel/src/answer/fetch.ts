// What the statements of one fetch have in common: the session, the values, and the limits of its rows.

import type { Context } from '../context.ts'
import type { Session } from '../database/session.ts'
import type { RowBytes } from '../row-bytes.ts'
import type { RowCount } from '../row-count.ts'

/** What a fetch needs in addition to the rows. */
export interface Fetch {
  readonly session: Session
  readonly values: readonly unknown[]
  readonly context: Context
  /** Number of fetched rows that are entries of the answer, each at least once. */
  entries: number
  /** The rows that are counted, which other reads may share. */
  readonly rowCount: RowCount
  /** How many of these rows are of this fetch. */
  counted: number
  /** Counts the bytes of the rows; null if nobody does, or if the session does. */
  readonly bytes: RowBytes | null
}
