// Knows the transaction in which a caller runs and who observes it, by its asynchronous context. Runs the work of
// callers on connections; does not know how connections are found.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { type Bracket, type Committed, type TransactionOptions, unlockNames } from './bracket.ts'
import type { DriverSession } from './connection-driver.ts'
import type { Observers, StatementObserver } from './observer.ts'
import type { Maybe, Session, Transaction } from './session.ts'
import { RunningTransaction } from './transaction.ts'
import { unavailable } from './unavailable.ts'

/** Receives the errors of work after COMMIT. */
export type ReportError = (error: unknown, what: string) => void

/** Functions to call after COMMIT. */
export type After = readonly (() => unknown)[]

/** The functions after COMMIT of a transaction without any. */
const nothing: After = []

/** The settings of `commitOn`. */
export interface CommitSettings {
  readonly options: TransactionOptions
  /** True if the work is one statement, which commits itself, so that there is no BEGIN and COMMIT around it. */
  readonly needsNoTransaction: boolean
}

/** The settings of `Callers`. */
export interface CallerSettings {
  readonly knex: Knex
  readonly bracket: Bracket
  readonly report: ReportError
}

export class Callers {
  readonly #running = new AsyncLocalStorage<RunningTransaction>()
  readonly #knex: Knex
  readonly #bracket: Bracket
  readonly #report: ReportError
  /** The observers of callers; null as long as no caller is observed. */
  observers: Observers | null = null

  constructor({ knex, bracket, report }: CallerSettings) {
    this.#knex = knex
    this.#bracket = bracket
    this.#report = report
  }

  /** The transaction in which the caller runs, or the connection on which it reads what is written; undefined: none. */
  get current(): RunningTransaction | undefined {
    const running = this.#running.getStore()
    return running?.isOpen === true ? running : undefined
  }

  /** The observer of the caller; null if it is not observed. */
  get observer(): StatementObserver | null {
    return this.observers?.current ?? null
  }

  /** Runs `work` as a caller that `observer` alone observes; null: nobody does. There must be observers. */
  observed<T>(observer: StatementObserver | null, work: () => T): T {
    return observer === null ? work() : this.observers!.run(observer, work)
  }

  /** Runs `work` with `tx` as the transaction of the caller. */
  enter<T>(tx: RunningTransaction, work: () => T): T {
    return this.#running.run(tx, work)
  }

  /** Calls functions that were registered for after COMMIT. Their errors are reported. */
  async runAfter(after: After): Promise<void> {
    for (const fn of after) {
      try {
        await fn()
      } catch (error) {
        this.#report(error, 'A function that runs after the commit failed')
      }
    }
  }

  /** Commits `work` on a connection, once. Returns its result and the functions to call after COMMIT. */
  commitOn<T>(
    session: DriverSession,
    work: (tx: Transaction) => Promise<T>,
    { options, needsNoTransaction }: CommitSettings,
  ): Promise<Committed<T>> {
    const enter = async (tx: RunningTransaction) => {
      if (options.isPrivate === true) return { result: await work(tx), after: nothing }
      const result = await this.enter(tx, () => work(tx))
      if (tx.hasSavepoints) await tx.waitForSavepoints()
      return { result, after: tx.after }
    }
    return this.#bracket.run(session, { serializable: options.serializable === true, needsNoTransaction }, enter)
  }

  /**
   * Runs a read outside of any transaction on the connection that `use` passes to its callback. Reads within `work` use
   * the same connection.
   */
  async readOn<T>(
    use: (run: (session: DriverSession) => Promise<T>) => Promise<T>,
    work: (session: Session) => Maybe<T>,
  ): Promise<T> {
    let after = nothing
    const run = async (session: DriverSession) => {
      // Reads within `work` find this connection like that of a transaction.
      const here = new RunningTransaction(this.#knex, session, null, true)
      try {
        return await this.enter(here, async () => work(here))
      } finally {
        await here.waitForSavepoints()
        here.isOpen = false
        here.end()
        if (session.holdsNames) await unlockNames(session)
        after = here.after
      }
    }
    try {
      return await use(run)
    } catch (error) {
      throw unavailable(error) ?? error
    } finally {
      // The connection is released first, because these functions may need one.
      await this.runAfter(after)
    }
  }
}
