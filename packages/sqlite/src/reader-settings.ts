// Declares the settings of reads, which the event loop and the reader processes share. Data only.

import type { ConnectionSettings } from './connection.ts'

/** The settings of a reader. */
export interface ReaderSettings extends ConnectionSettings {
  /** Milliseconds that a read may take in a process. */
  readonly statementTimeout: number
  /** True if all statements of a read see one state of the database. */
  readonly consistentReads: boolean
}
