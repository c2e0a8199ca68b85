// What stands around the work of a transaction: BEGIN and COMMIT, or ROLLBACK, and what must be given back with the connection.
// Knows neither the pool nor who asks.

import type { Knex } from 'knex'
import { collides } from './clash.ts'
import type { Driver, DriverSession, Limits } from './driver.ts'
import { discard } from './knex-internals.ts'
import { note } from './meaning.ts'
import { RunningTransaction } from './transaction.ts'

/** How a transaction is run. */
export interface TransactionOptions {
  /** As if nothing ran beside it: for checks that no index backs. */
  readonly serializable?: boolean
  /** The work is one changing statement, which needs no BEGIN and COMMIT around it. */
  readonly isSingle?: boolean
  /** The work asks nothing but the transaction it is handed, and runs nobody else's code, not even after COMMIT. */
  readonly isPrivate?: boolean
  /** No limit of time applies: the work changes tables, which takes as long as it takes. */
  readonly isUnlimited?: boolean
  /**
   * The row that the work changes. Where many write, transactions of one row run one after the other: all but the first would wait
   * for it, each with a connection that others need. Within another transaction it changes nothing.
   */
  readonly turn?: string
}

/** What a transaction gave, and what is to run after its COMMIT. */
export interface Committed<T> {
  readonly result: T
  readonly after: readonly (() => unknown)[]
}

/** Runs transactions on connections of one database. */
export class Bracket {
  readonly #knex: Knex
  readonly #driver: Driver

  constructor(knex: Knex, driver: Driver) {
    this.#knex = knex
    this.#driver = driver
  }

  /** BEGIN and COMMIT, or ROLLBACK, around `enter`. */
  async run<T>(
    session: DriverSession,
    { serializable = false, isSingle = false, isPrivate = false }: TransactionOptions,
    enter: (tx: RunningTransaction) => Promise<T>,
  ): Promise<T> {
    const tx = new RunningTransaction(this.#knex, session)
    // Where others wait for the one writer, what follows the statement must not fail on its own.
    const isBare = isSingle && (isPrivate || !this.#driver.hasOneWriter)
    try {
      if (!isBare) await session.begin(serializable)
      const result = await enter(tx)
      // What outlives its callback would come behind the COMMIT.
      tx.isOpen = false
      if (!isBare) await collides(() => session.commit())
      return result
    } catch (error) {
      // Code in a transaction may hand on what other connections threw.
      note(error, session.errors)
      // What still runs in it ends first: behind the ROLLBACK it would be on its own, or in somebody else's transaction.
      tx.isOpen = false
      await tx.waitForSavepoints()
      if (!isBare && session.inTransaction) await rollBack(session)
      throw error
    } finally {
      tx.isOpen = false
      tx.end()
      if (session.holdsNames) await unlockNames(session)
    }
  }

  /** Runs work on a connection whose limits of time are lifted. */
  async runUnlimited<T>(session: DriverSession, work: () => Promise<T>): Promise<T> {
    const { limits } = this.#driver
    if (limits === undefined) return work()
    if (session.usage !== undefined) session.usage.isUnlimited = true
    await session.run(limits.lift, [])
    try {
      return await work()
    } finally {
      if (session.usage !== undefined) session.usage.isUnlimited = false
      await restore(session, limits)
    }
  }
}

/** What failed is told; that taking back failed too only shows that the connection is gone, and the server takes back then. */
async function rollBack(session: DriverSession): Promise<void> {
  try {
    await session.rollback()
  } catch (error) {
    discard(session.connection, error)
  }
}

/** A connection that keeps a lock would keep everybody from it: it is thrown away. */
export async function unlockNames(session: DriverSession): Promise<void> {
  try {
    await session.unlockNames()
  } catch (error) {
    discard(session.connection, error)
  }
}

/** A connection that keeps no limits is not used again. */
async function restore(session: DriverSession, limits: Limits): Promise<void> {
  try {
    await session.run(limits.restore, [])
  } catch (error) {
    discard(session.connection, error)
  }
}
