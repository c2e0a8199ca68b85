// A connection as the engine sees it: statements are prepared once and run with bound values. SQLite returns results
// synchronously, servers return promises; callers await only promises.

import type { Knex } from 'knex'
import type { Bound } from '../sql/dialect.ts'

export type Rows = unknown[][]
export type Maybe<T> = T | Promise<T>

/** The result of a changing statement. */
export interface Change {
  readonly changes: number
  /** The id of the inserted row; 0 if none was inserted. */
  readonly id: number
}

/** A statement with its values. */
export interface BoundStatement {
  readonly text: string
  readonly values: readonly Bound[]
  /**
   * The statement that runs in its place if the statement before it is not sent in the same message. A proxy may send
   * each message to another server.
   */
  readonly alone?: BoundStatement
}

/** Runs statements. */
export interface Session {
  /** True if batch() takes one round trip. If so, a caller may include statements that turn out not to be needed. */
  readonly canBatch: boolean
  /**
   * True if the session counts the bytes of rows while they arrive (`Reading.bytes`). Those of other sessions are
   * counted afterwards.
   */
  readonly countsBytes?: boolean
  /**
   * True if `beginSnapshot` lets the statements of a read see one state of the database. False or missing if they do so
   * anyway, if they belong to a transaction, or if reads are not to do so (`consistentReads`).
   */
  readonly canSnapshot?: boolean
  /**
   * Lets the later statements of the read see the database as it is at the first of them. It takes no time: on a server it
   * is sent with the next statement. The snapshot ends with the read, or before it by `batch`.
   */
  beginSnapshot?(): void
  all(text: string, values: readonly Bound[]): Maybe<Rows>
  /**
   * Runs reading statements and returns the rows of each. `endsSnapshot`: these are the last statements of the snapshot,
   * whose end is then sent with them. A session without snapshots does not look at it.
   */
  batch(steps: readonly BoundStatement[], endsSnapshot?: boolean): Maybe<Rows[]>
  run(text: string, values: readonly Bound[]): Maybe<Change>
  /**
   * Runs a statement before all later ones, without its result: on a server it may be sent with the next one
   * (pipeline). If it fails, the next statement fails with its error, at the latest COMMIT or flush(). Then only
   * ROLLBACK is possible, even if the error is handled; since the errors of the two statements cannot be distinguished,
   * this also applies to errors of the next one. Meant for statements whose values were checked before: if a unique
   * index or a foreign key still refuses one, the transaction runs again.
   */
  enqueue(text: string, values: readonly Bound[]): Maybe<unknown>
  /** Waits for the statements that were sent. */
  flush(): Maybe<void>
}

/** A running transaction. It is only passed to a callback, which ends it by returning or throwing. */
export interface Transaction extends Session {
  /** knex on this transaction's connection, for plugins and Objection models. */
  readonly knex: Knex
  /**
   * Takes advisory locks until the end of the transaction: a transaction that requests a name waits for those that
   * requested it before. The names of one call are locked in a fixed order. Does nothing on databases with a single
   * writer. Throws a conflict, which runs the transaction again, if a lock does not become free in time.
   */
  lockNames(names: readonly string[]): Maybe<void>
  /** Calls `fn` once the transaction has ended, by COMMIT or ROLLBACK. It must not throw. */
  afterEnd(fn: () => void): void
  /**
   * Calls `fn` after COMMIT succeeded. Its errors are logged and do not reach the caller. A function is called once per
   * transaction, with all items that it was registered with.
   */
  afterCommit<Item>(fn: (items: readonly Item[]) => unknown, item?: Item): void
}

/** Is called for every statement that runs; null if there is no listener. */
export type StatementListener = ((text: string) => void) | null
