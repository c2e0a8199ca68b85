// The part of a database's driver that opens connections: their sessions run statements, and begin and end transactions.

import type { Socket } from 'node:net'
import type { Knex } from 'knex'
import type { DriverErrors } from './meaning.ts'
import type { StatementObserver } from './observer.ts'
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
  /**
   * Ends the snapshot of a read that has succeeded or failed; returns undefined if none is open. If it rejects, the
   * connection is not used again.
   */
  endSnapshot?(): Promise<void> | undefined
  /** Takes advisory locks, in the order given (Transaction.lockNames). */
  lockNames(names: readonly string[]): Maybe<void>
  /** True if the session holds advisory locks that outlive the transaction. */
  readonly holdsNames: boolean
  /** Releases those locks; called after COMMIT or ROLLBACK. */
  unlockNames(): Maybe<void>
  /**
   * Marks the transaction as failed with this error, even if its callback handles the error: every later statement and
   * COMMIT is refused with it, and only ROLLBACK is possible.
   */
  failTransaction(error: unknown): void
  /**
   * Runs reads that must be short, because they block the event loop. Only databases that read on the event loop have
   * this method. Throws UnavailableError.
   */
  brief?<T>(work: () => Promise<T>): Promise<T>
  /**
   * True if there is a transaction to roll back. Always true on servers: ROLLBACK without a transaction is harmless
   * there.
   */
  readonly inTransaction: boolean
  /** The state of the connection; only sessions of servers have one. */
  readonly usage?: Usage
}

/** Statements that lift and restore a session's time limits. */
export interface Limits {
  readonly lift: string
  /**
   * Null if `lift` holds until the end of the transaction. The sessions of such a driver begin each transaction with it
   * while their usage is unlimited.
   */
  readonly restore: string | null
}

/** Opens connections. */
export interface ConnectionDriver {
  readonly errors: DriverErrors
  /** knex's configuration of the pool. `client` is the name of knex's dialect. */
  readonly knex: Knex.Config
  /** The module of the driver, such as that of the package pg, for knex, which would look for it beside itself. */
  readonly module: object
  /** The text that knex binds for a Date. Without it, the driver's own conversion is right. */
  readonly dateText?: (date: Date) => string
  /** Returns the socket of knex's raw connection. Missing if connections have none. */
  socketOf?(connection: object): Socket
  /** Servers only. */
  readonly limits?: Limits
  open(connection: object): DriverSession
}
