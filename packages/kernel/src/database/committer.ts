// Commits transactions that are not within another one: waits for the entry's turn and for a connection, and runs the
// work again after a conflict. Does not know which transaction is the current one of a caller.

import type { Bracket, Committed, TransactionOptions } from './bracket.ts'
import type { DatabaseSettings } from './database.ts'
import type { Driver, DriverSession } from './driver.ts'
import { EntryQueue } from './entry-queue.ts'
import { retryConflicts, retryUntil } from './retry.ts'
import type { Transaction } from './session.ts'
import type { RunningTransaction } from './transaction.ts'
import type { WriteConnection } from './write-connection.ts'

/** The functions after COMMIT of a transaction without any. */
const nothing: readonly (() => unknown)[] = []

/** What a Committer uses of the database. */
export interface CommitterTools {
  readonly driver: Driver
  readonly bracket: Bracket
  readonly writer: WriteConnection
  readonly maxConnections: number
  readonly settings: DatabaseSettings
  /** Runs `work` with `tx` as the current transaction. */
  enter<T>(tx: RunningTransaction, work: () => T): T
}

export class Committer {
  readonly #tools: CommitterTools
  readonly #queue: EntryQueue
  /** Milliseconds after which a transaction does not wait for a lock again. */
  readonly #lockPatience: number
  #count: number | null

  constructor(tools: CommitterTools) {
    this.#tools = tools
    // One entry that many change may use a part of the connections.
    this.#queue = new EntryQueue(Math.ceil(tools.maxConnections / 4))
    this.#lockPatience = tools.settings.lockTimeout ?? Number.POSITIVE_INFINITY
    this.#count = tools.settings.rememberTotals === true ? 0 : null
  }

  /** The number of this process's commits if no other process writes; otherwise null. */
  get count(): number | null {
    return this.#count
  }

  /**
   * Commits `work`, and also returns the functions to call after COMMIT. With a single writer, it waits for its turn
   * until `deadline`.
   */
  commit<T>(
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions,
    deadline: number,
  ): Promise<Committed<T>> {
    const { driver, writer } = this.#tools
    if (!driver.hasOneWriter) return this.#commitBeside(work, options)
    // The write connection is kept while another process writes, so that writes run in the order of arrival.
    const run = (session: DriverSession) => retryUntil(deadline, () => this.#run(session, work, options))
    return writer.use(run, deadline - performance.now())
  }

  /** Commits on a database with several writers. */
  async #commitBeside<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<Committed<T>> {
    const { turn, isUnlimited = false, isShort = false } = options
    const { bracket, settings, writer } = this.#tools
    const run = (session: DriverSession) =>
      isUnlimited
        ? bracket.runUnlimited(session, () => this.#run(session, work, options))
        : this.#run(session, work, options)
    const waitTimeout = settings.acquireTimeout
    const entered = turn === undefined ? undefined : this.#queue.enter(turn, { isShort, waitTimeout })
    if (entered !== undefined) await entered
    try {
      const committed = await retryConflicts(() => writer.use(run, waitTimeout), this.#lockPatience)
      if (this.#count !== null && options.keepsTotals !== true) this.#count++
      return committed
    } finally {
      if (turn !== undefined) this.#queue.leave(turn)
    }
  }

  #run<T>(
    session: DriverSession,
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<Committed<T>> {
    const enter = async (tx: RunningTransaction) => {
      if (options.isPrivate === true) return { result: await work(tx), after: nothing }
      const result = await this.#tools.enter(tx, () => work(tx))
      if (tx.hasSavepoints) await tx.waitForSavepoints()
      return { result, after: tx.after }
    }
    return this.#tools.bracket.run(session, options, enter)
  }
}
