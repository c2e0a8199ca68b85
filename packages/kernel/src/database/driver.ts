// The interface of a database's driver: it opens connections, runs statements, begins and ends transactions, and
// detects changes. One object per database.

import type { Knex } from 'knex'
import type { Dialect } from '../sql/dialect.ts'
import type { Ddl } from './ddl.ts'
import type { DriverErrors } from './meaning.ts'
import type { Observers, StatementObserver } from './observer.ts'
import type { Maybe, Session, StatementListener } from './session.ts'
import type { Usage } from './usage.ts'

/** A session on one raw connection of the pool. */
export interface DriverSession extends Session {
  /** knex's raw connection. */
  readonly connection: object
  /** Classifies the driver's errors. */
  readonly errors: DriverErrors
  /** Null while there is no listener. */
  listener: StatementListener
  /** Receives the begin and end of statements; null if the caller is not observed. Its texts come by `listener`. */
  observer: StatementObserver | null
  /**
   * Begins a transaction; on servers, BEGIN may be sent with the next statement. `serializable` is for checks that no
   * index backs.
   */
  begin(serializable: boolean): Maybe<unknown>
  commit(): Maybe<unknown>
  /** Rolls back the transaction and drops its statements that are not sent yet. */
  rollback(): Maybe<unknown>
  /** Begins a savepoint. */
  savepoint(name: string): Maybe<unknown>
  /** Releases a savepoint: its changes then belong to the transaction. */
  releaseSavepoint(name: string): Maybe<unknown>
  /** Rolls back to a savepoint, which remains. */
  rollbackTo(name: string): Maybe<unknown>
  /** Takes advisory locks, in the order given (Transaction.lockNames). */
  lockNames(names: readonly string[]): Maybe<void>
  /** Whether the session holds advisory locks that outlive the transaction. */
  readonly holdsNames: boolean
  /** Releases those locks; called after COMMIT or ROLLBACK. */
  unlockNames(): Maybe<void>
  /**
   * Marks the transaction as failed with this error, even if its callback handles the error: every later statement and
   * COMMIT is refused with it, and only ROLLBACK is possible.
   */
  lose(error: unknown): void
  /**
   * Runs reads that must be short, because they block the event loop. Only databases that read on the event loop have
   * this method. Throws UnavailableError.
   */
  brief?<T>(work: () => Promise<T>): Promise<T>
  /**
   * Whether there is a transaction to roll back. Servers return true: ROLLBACK without a transaction is harmless there.
   */
  readonly inTransaction: boolean
  /** The state of the connection; only sessions of servers have one. */
  readonly usage?: Usage
}

/** Ends running statements from outside their session. */
export interface Interruption {
  /** Asks the server to cancel the running statements of these sessions; resolves when the request was sent. */
  cancel(sessions: readonly DriverSession[]): Promise<void>
  /** Closes the connection at once: its running statement fails with `why`. */
  destroy(session: DriverSession, why: Error): void
}

/** Statements that lift and restore a session's time limits. */
export interface Limits {
  readonly lift: string
  readonly restore: string
}

/** Runs reads outside the pool. They see only committed transactions. */
export interface Reader {
  /** Null while there is no listener. */
  listener: StatementListener
  /** The observers of callers; null as long as no caller is observed. */
  observers: Observers | null
  /**
   * Runs a read, again from its beginning if necessary. `isAbandoned` returns true if the client no longer waits. Reads
   * of one `shape` cost about the same; reads of a fast shape do not queue. Throws UnavailableError.
   */
  read<T>(work: (session: Session) => Maybe<T>, isAbandoned?: () => boolean, shape?: object): Maybe<T>
  /** A number that changes with every commit of any connection, as of the snapshot that `session` reads. */
  version(session: Session): number
  close(): Promise<void>
}

/** One kind of database. */
export interface Driver {
  readonly dialect: Dialect
  readonly ddl: Ddl
  readonly errors: DriverErrors
  /**
   * Uses the first connection to find the dialect, which can depend on the version. Throws StartError
   * (PLINTH_DATABASE_VERSION) if the version is too old.
   */
  connect(session: Session): Maybe<Dialect>
  /**
   * Finds the columns of texts that cannot hold every text, for the dialect's `narrowTests`; returns the character sets
   * by table. Missing if there can be none.
   */
  findNarrow?(session: Session, dialect: Dialect): Promise<ReadonlyMap<string, string>>
  /** knex's configuration of the pool. */
  readonly knex: Knex.Config
  /** The text that knex binds for a Date. Without it, the driver's own conversion is right. */
  readonly dateText?: (date: Date) => string
  /** Servers only. `spare` opens a raw connection outside the pool. */
  interruption?(spare: () => Promise<object>): Interruption
  /** Servers only. */
  readonly limits?: Limits
  /**
   * Whether the database allows one writer at a time, across all processes. Writes that arrive together are then
   * committed together, and an update pins the write connection from its read of the entry to the change.
   */
  readonly hasOneWriter: boolean
  /** The statements that begin a transaction whose reads all see the same state, and which locks nothing. */
  readonly snapshot: readonly string[]
  open(connection: object): DriverSession
  /** SQL that tries to take the lock of the elected process (Election); null if the database has a single writer. */
  readonly electionText: string | null
  /** Opens the reader; null if the pool serves reads. */
  openReader(): Maybe<Reader | null>
  /**
   * Returns a value that differs if the entry was changed meanwhile. `locks`: no other transaction changes the entry
   * until the end of this one.
   */
  rowVersion(session: Session, table: string, id: number, locks: boolean): Maybe<string>
  close(): void
}

/**
 * Milliseconds to open a connection: less than a caller waits for one, so that the caller receives the reason for the
 * failure and not just a timeout.
 */
export function connectTimeout({ acquireTimeout }: { readonly acquireTimeout: number }): number {
  return Math.max(100, Math.min(acquireTimeout, 5000) - 500)
}
