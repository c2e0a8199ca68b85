// The settings of an open database. Knows no kind of database.

import type { OutageLog } from './outages.ts'
import type { PoolTimes } from './pool.ts'

/** Settings that all databases have in common. */
export interface DatabaseSettings extends PoolTimes {
  /** Databases with several writers: milliseconds to wait for a locked row or table. */
  readonly lockTimeout?: number
  /** Databases with several writers: no other process writes, so totals may be cached until this process writes. */
  readonly rememberTotals?: boolean
  /** The file or the address, for messages; without user and password. */
  readonly place: string
  readonly log: OutageLog
}
