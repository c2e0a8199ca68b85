// The interface between an open database and its connections. How the reads and writes of callers share connections
// depends on how many writers the database allows at a time: packages of databases implement it. Knows no kind of
// database.

import type { Bracket, Committed, TransactionOptions } from './bracket.ts'
import type { Callers } from './callers.ts'
import type { Observers } from './observer.ts'
import type { Pool } from './pool.ts'
import type { Maybe, Session, StatementListener, Transaction } from './session.ts'
import type { DatabaseSettings } from './settings.ts'
import type { Reading } from './usage.ts'

/** The parts of an open database that its connections use. */
export interface ConnectionTools {
  readonly pool: Pool
  readonly bracket: Bracket
  readonly callers: Callers
  readonly settings: DatabaseSettings
}

/** The work of a transaction. */
export type TransactionWork<T> = (tx: Transaction) => Promise<T>

/** The connections of one open database. Callers that run in a transaction use that of the transaction instead. */
export interface Connections {
  /** Opens what reads need besides the pool. Called once, before all other methods. */
  open(): Promise<void>
  /**
   * Finds out how the database is reached, and settles how sessions use their connections. Called once, after the first
   * statement and before there are other connections. Returns a sentence for the log, without a full stop; null if there
   * is nothing to say. Throws StartError for settings that would be wrong there.
   */
  settle(session: Session): Promise<string | null>
  /** Takes part in the election among the processes that use the database. */
  joinElection(): Promise<void>
  /** True if this process is the one that was elected among those that use the database. */
  readonly isElected: boolean
  /** True if the reads of callers run concurrently, on connections of their own. */
  readonly readsBeside: boolean
  /** Calls `listener` for each statement that runs outside of the pool; null removes it. */
  listen(listener: StatementListener): void
  /** Reports statements that run outside of the pool to the observers of their callers. */
  observe(observers: Observers): void
  /** Runs a read outside of transactions (Database.read). */
  read<T>(work: (session: Session) => Maybe<T>, reading: Reading | undefined): Maybe<T>
  /** Runs a read on a connection for writes (Database.readWhereWritten). */
  readWhereWritten<T>(work: (session: Session) => Maybe<T>): Promise<T>
  /** Keeps other writes of this process from coming between the reads and the writes of `work`, if it can. */
  withPinnedWriter<T>(work: () => Promise<T>): Promise<T>
  /**
   * Commits `work`, again after a conflict, and returns its result and the functions to call after COMMIT. Waits for its
   * turn and for a connection until `deadline` (of performance.now()) at the latest. Throws UnavailableError.
   */
  commit<T>(work: TransactionWork<T>, options: TransactionOptions, deadline: number): Promise<Committed<T>>
  /**
   * Commits short work, which waits for nothing but the database, together with that of other callers, and calls the
   * functions that run after COMMIT. Returns null if it must be committed by itself.
   */
  commitTogether<T>(work: TransactionWork<T>, options: TransactionOptions, deadline: number): Promise<T> | null
  /** Returns a number that changes with every commit that `session` can see; null if that is not known. */
  version(session: Session): number | null
  close(): Promise<void>
}
