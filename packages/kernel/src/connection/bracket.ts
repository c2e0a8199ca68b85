// Runs the work of a transaction between BEGIN and COMMIT or ROLLBACK, and restores the connection's state afterwards.
// Does not depend on the pool or on callers.

import type { Knex } from 'knex'
import { collides } from './clash.ts'
import type { ConnectionDriver, DriverSession } from './connection-driver.ts'
import { discard } from './knex-internals.ts'
import { note } from './meaning.ts'
import { RunningTransaction } from './transaction.ts'

/**
 * The way in which work is committed. `statement`: it is one changing statement, which needs neither a savepoint nor
 * BEGIN and COMMIT around it. `group`: it waits for nothing but the database, so with one writer it may share a COMMIT
 * with other work. `transaction`: it has a BEGIN and a COMMIT of its own.
 */
export type CommitMode = 'statement' | 'group' | 'transaction'

/** The row that work changes. Not a text: one would have to be put together for each change. */
export interface EntryTurn {
  readonly table: string
  readonly id: number
  /**
   * True if the change is committed by its statement, so that other such changes of the row may run beside it. If the
   * work also reads the row, it may read a later change.
   */
  readonly isShort?: boolean
}

/** The settings of a transaction. */
export interface TransactionOptions {
  /** Runs at isolation level SERIALIZABLE: for checks that no index backs. */
  readonly serializable?: boolean
  /** By default `transaction`. */
  readonly mode?: CommitMode
  /**
   * The work uses only the transaction passed to it, and runs no code of plugins or applications, not even after
   * COMMIT.
   */
  readonly isPrivate?: boolean
  /** The work changes nothing that lists are filtered by, so totals that are remembered until a commit stay valid. */
  readonly keepsTotals?: boolean
  /** No time limits apply: the work changes tables, which may take any time. */
  readonly isUnlimited?: boolean
  /**
   * The row that the work changes, by which it enters the entry queue. On servers, transactions that change the same
   * row run one after the other, and a few at a time if they are short: otherwise all but the first would wait for the
   * row's lock, each with a connection that other requests need. Has no effect within another transaction.
   */
  readonly turn?: EntryTurn
}

/** The settings of Bracket.run(). */
export interface BracketOptions {
  readonly serializable: boolean
  /** True if there is no BEGIN, COMMIT or ROLLBACK, because the work is one statement, which commits itself. */
  readonly needsNoTransaction: boolean
}

/** The result of a transaction, and the functions to call after its COMMIT. */
export interface Committed<T> {
  readonly result: T
  readonly after: readonly (() => unknown)[]
}

/** Runs transactions on connections of one database. */
export class Bracket {
  readonly #knex: Knex
  readonly #driver: ConnectionDriver

  constructor(knex: Knex, driver: ConnectionDriver) {
    this.#knex = knex
    this.#driver = driver
  }

  /** BEGIN and COMMIT, or ROLLBACK, around `enter`. */
  async run<T>(
    session: DriverSession,
    { serializable, needsNoTransaction }: BracketOptions,
    enter: (tx: RunningTransaction) => Promise<T>,
  ): Promise<T> {
    const tx = new RunningTransaction(this.#knex, session)
    try {
      if (!needsNoTransaction) await session.begin(serializable)
      const result = await enter(tx)
      // Work that outlives its callback would run after COMMIT.
      tx.isOpen = false
      if (!needsNoTransaction) await collides(() => session.commit())
      return result
    } catch (error) {
      // An error that code in a transaction throws may come from another connection.
      note(error, session.errors)
      // Waits for running savepoints: after ROLLBACK their statements would run outside the transaction, or in another
      // one.
      tx.isOpen = false
      await tx.waitForSavepoints()
      if (!needsNoTransaction && session.inTransaction) await rollBack(session)
      throw error
    } finally {
      tx.isOpen = false
      tx.end()
      if (session.holdsNames) await unlockNames(session)
    }
  }

  /** Runs `work` with the connection's time limits lifted. */
  async runUnlimited<T>(session: DriverSession, work: () => Promise<T>): Promise<T> {
    const { limits } = this.#driver
    if (limits === undefined) return work()
    const { lift, restore } = limits
    if (session.usage !== undefined) session.usage.isUnlimited = true
    try {
      if (restore !== null) await session.run(lift, [])
      return await work()
    } finally {
      if (session.usage !== undefined) session.usage.isUnlimited = false
      if (restore !== null) await restoreLimits(session, restore)
    }
  }

  /** Runs `work` in a transaction of knex on the session's connection, with the time limits lifted. */
  runUnlimitedKnex<T>(session: DriverSession, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const limits = this.#driver.limits
    const lifted = async (trx: Knex.Transaction) => {
      if (limits?.restore === null) await trx.raw(limits.lift)
      return work(trx)
    }
    return this.runUnlimited(session, () => this.#knex.transaction(lifted, { connection: session.connection }))
  }
}

/**
 * Rolls back. The caller reports the original error: if ROLLBACK fails too, the connection is lost, and the server
 * rolls back.
 */
async function rollBack(session: DriverSession): Promise<void> {
  try {
    await session.rollback()
  } catch (error) {
    discard(session.connection, error)
  }
}

/**
 * Releases advisory locks. If that fails, the connection is discarded, because it would block all others that need the
 * locks.
 */
export async function unlockNames(session: DriverSession): Promise<void> {
  try {
    await session.unlockNames()
  } catch (error) {
    discard(session.connection, error)
  }
}

/** Restores the time limits. If that fails, the connection is discarded. */
async function restoreLimits(session: DriverSession, restore: string): Promise<void> {
  try {
    await session.run(restore, [])
  } catch (error) {
    discard(session.connection, error)
  }
}
