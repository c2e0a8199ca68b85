// What a database's driver must do: open connections, run statements on them, say how a transaction begins and whether
// somebody changed something. One object per database; the rest of database/ asks no further.

import type { Knex } from 'knex'
import type { Dialect } from '../sql/dialect.ts'
import type { Ddl } from './ddl.ts'
import type { DriverErrors } from './meaning.ts'
import type { Maybe, Session, StatementListener } from './session.ts'
import type { Usage } from './usage.ts'

/** A session on one raw connection of the pool. */
export interface DriverSession extends Session {
  /** knex's raw connection. */
  readonly connection: object
  /** What the driver's errors mean. */
  readonly errors: DriverErrors
  /** Set while somebody listens. */
  listener: StatementListener
  /** Begins a transaction; servers may be told with the next statement. `serializable` for checks that no index backs. */
  begin(serializable: boolean): Maybe<unknown>
  commit(): Maybe<unknown>
  /** Takes back the transaction, and what was not sent of it yet. */
  rollback(): Maybe<unknown>
  /** Begins a part of the transaction that can be taken back alone. */
  savepoint(name: string): Maybe<unknown>
  /** What was done since the savepoint belongs to the transaction. */
  releaseSavepoint(name: string): Maybe<unknown>
  /** Takes back what was done since the savepoint, which stays. */
  rollbackTo(name: string): Maybe<unknown>
  /** Takes advisory locks, in the order given (Transaction.lockNames). */
  lockNames(names: readonly string[]): Maybe<void>
  /** Are there advisory locks that outlive the transaction? */
  readonly holdsNames: boolean
  /** Gives those back; called after COMMIT or ROLLBACK. */
  unlockNames(): Maybe<void>
  /**
   * The transaction can only be taken back, because of this error, whoever keeps quiet about it: what comes next is refused
   * with it, COMMIT too.
   */
  lose(error: unknown): void
  /** Runs reads that must not take long, for they keep the event loop; only where they do. Throws UnavailableError. */
  brief?<T>(work: () => Promise<T>): Promise<T>
  /** Is there something to roll back? Servers say yes: ROLLBACK of nothing is harmless there. */
  readonly inTransaction: boolean
  /** What the connection is used for; sessions of servers have one. */
  readonly usage?: Usage
}

/** How statements that run are ended from outside. */
export interface Interruption {
  /** Asks the server to end what these sessions run; resolves when it was told. */
  cancel(sessions: readonly DriverSession[]): Promise<void>
  /** Ends the connection at once: what runs on it fails with `why`. */
  destroy(session: DriverSession, why: Error): void
}

/** Statements that take a session's limits of time away, and that set them again. */
export interface Limits {
  readonly lift: string
  readonly restore: string
}

/** Reads beside the pool, which never see half a transaction. */
export interface Reader {
  /** Set while somebody listens. */
  listener: StatementListener
  /**
   * Runs a question, again from its beginning where that is needed. `isAbandoned` tells whether anybody still waits for the
   * answer. Questions of one `shape` cost about the same; those of a quick one wait for nobody. Throws UnavailableError.
   */
  read<T>(work: (session: Session) => Maybe<T>, isAbandoned?: () => boolean, shape?: object): Maybe<T>
  /** A number that changes with every commit of anyone, as old as what `session` reads. */
  version(session: Session): number
  close(): Promise<void>
}

/** One kind of database. */
export interface Driver {
  readonly dialect: Dialect
  readonly ddl: Ddl
  readonly errors: DriverErrors
  /** The first contact: what this server speaks, where its version matters. */
  connect(session: Session): Maybe<Dialect>
  /** What knex needs to make the pool. */
  readonly knex: Knex.Config
  /** Servers only. `spare` opens a raw connection beside the pool. */
  interruption?(spare: () => Promise<object>): Interruption
  /** Servers only. */
  readonly limits?: Limits
  /**
   * One writer at a time, in this process and beside it: writes that arrive together are committed together, and an update
   * keeps the writing connection from its look to its change.
   */
  readonly hasOneWriter: boolean
  open(connection: object): DriverSession
  /** Asks for the lock of the elected process (Election); null where the database has one writer. */
  readonly electionText: string | null
  /** What serves reads; null where the pool does. */
  openReader(): Maybe<Reader | null>
  /** Something that differs when the entry was changed meanwhile. `locks`: nobody else changes it until the end of the transaction. */
  rowVersion(session: Session, table: string, id: number, locks: boolean): Maybe<string>
  close(): void
}

/** Milliseconds to make a connection: whoever waits for it hears why there is none, and not only that the time is over. */
export function connectTimeout({ acquireTimeout }: { readonly acquireTimeout: number }): number {
  return Math.max(100, Math.min(acquireTimeout, 5000) - 500)
}
