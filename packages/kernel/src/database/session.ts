// A connection as the engine sees it: statements prepared once and run with bound values. SQLite answers at once, servers
// with a promise; callers await only a promise.

import type { Knex } from 'knex'
import type { Bound } from '../sql/dialect.ts'

export type Rows = unknown[][]
export type Maybe<T> = T | Promise<T>

/** What a changing statement did. */
export interface Change {
  readonly changes: number
  /** Id of the inserted row; 0 where none was. */
  readonly id: number
}

/** A statement with its values. */
export interface BoundStatement {
  readonly text: string
  readonly values: readonly Bound[]
}

/** A place to run statements. */
export interface Session {
  /** Is allOf() one round trip? Then more may be asked than is needed for sure. */
  readonly canBatch: boolean
  all(text: string, values: readonly Bound[]): Maybe<Rows>
  /** Runs statements that read, and gives the rows of each. */
  batch(steps: readonly BoundStatement[]): Maybe<Rows[]>
  run(text: string, values: readonly Bound[]): Maybe<Change>
  /**
   * Runs a statement before all that come after it, without a result: a server may have it together with the next one.
   * Its error is that one's then, at the latest COMMIT's or flush()'s, and nothing but taking back follows it, whoever keeps
   * quiet about it; since the two cannot be told apart, that goes for that one's own errors, too. For what was checked before: a unique index or foreign key that refuses it all the same makes the
   * transaction run again.
   */
  enqueue(text: string, values: readonly Bound[]): Maybe<unknown>
  /** Waits for what was sent. */
  flush(): Maybe<void>
}

/** A running transaction. It is only ever handed to a callback, which ends it by returning or throwing. */
export interface Transaction extends Session {
  /** knex on this transaction's connection, for plugin authors and Objection models. */
  readonly knex: Knex
  /**
   * Takes advisory locks until the end of the transaction: a transaction that names one of them waits for those that named it
   * before. All names of one call are taken in one order. Nothing where the database has one writer. Throws a conflict, which
   * runs the transaction again, where a lock is not free in time.
   */
  lockNames(names: readonly string[]): Maybe<void>
  /** Runs once the transaction has ended, by COMMIT or ROLLBACK; must not throw. */
  afterEnd(fn: () => void): void
  /**
   * Runs after COMMIT succeeded; a throw is logged, never the caller's error. A function is called once for all items it
   * was given in one transaction.
   */
  afterCommit<Item>(fn: (items: readonly Item[]) => unknown, item?: Item): void
}

/** Hears every statement that runs; null when nobody listens. */
export type StatementListener = ((text: string) => void) | null
