// The database: reads, transactions and what follows them, whatever the driver. Pool and DDL are knex's, statements are
// prepared on its raw connections.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import type { Dialect } from '../sql/dialect.ts'
import { Bracket, type Committed, type TransactionOptions, unlockNames } from './bracket.ts'
import type { Driver, DriverSession, Limits, Reader } from './driver.ts'
import type { Ddl } from './ddl.ts'
import { Election } from './election.ts'
import { EntryQueue } from './entry-queue.ts'
import { CommitGroup } from './group.ts'
import { PinnedConnection } from './pinned-connection.ts'
import { Pool, type PoolTimes } from './pool.ts'
import { retryConflicts, retryUntil } from './retry.ts'
import type { Maybe, Session, StatementListener, Transaction } from './session.ts'
import { RunningTransaction } from './transaction.ts'
import { unavailable } from './unavailable.ts'
import type { IsAbandoned } from './usage.ts'

/** What after-commit work does with its errors. */
export type ReportError = (error: unknown, what: string) => void

/** What the configuration says of a database, whichever it is. */
export interface DatabaseSettings extends PoolTimes {
  /** Servers: milliseconds to wait for a row or table that somebody else has locked. */
  readonly lockTimeout?: number
  /** Nobody else writes: totals may be remembered until this process does. */
  readonly rememberTotals?: boolean
}

/** The open database of one kernel. */
export class Database {
  #dialect: Dialect
  readonly knex: Knex
  readonly #driver: Driver
  readonly #pool: Pool
  readonly #bracket: Bracket
  readonly #election: Election | null
  #reader: Reader | null = null
  readonly #group = new CommitGroup({
    commit: (work, deadline) => this.#commitGroup(work, deadline),
    alone: (work, options, deadline) => this.#commit(work as never, options, deadline),
    enter: (part, work) => this.#running.run(part, work),
    runAfter: after => this.#runAfter(after),
  })
  readonly #queue = new EntryQueue()
  readonly #held = new AsyncLocalStorage<PinnedConnection>()
  readonly #running = new AsyncLocalStorage<RunningTransaction>()
  readonly #report: ReportError
  /** Milliseconds after which nobody waits again for a lock. */
  readonly #lockPatience: number
  /** Milliseconds that a write waits for its turn. */
  readonly #waitTimeout: number
  /** Counts own commits where they are all there are; null where others may write too. */
  #commits: number | null

  constructor(driver: Driver, settings: DatabaseSettings, report: ReportError) {
    this.#report = report
    this.#waitTimeout = settings.acquireTimeout
    this.#driver = driver
    this.#dialect = driver.dialect
    this.#pool = new Pool(driver, settings)
    this.#lockPatience = settings.lockTimeout ?? Number.POSITIVE_INFINITY
    this.knex = this.#pool.knex
    this.#bracket = new Bracket(this.knex, this.#driver)
    this.#election = this.#driver.electionText === null ? null : new Election(this.knex, this.#driver)
    this.#commits = settings.rememberTotals === true ? 0 : null
  }

  get dialect(): Dialect {
    return this.#dialect
  }

  /** How its tables are looked at and changed. */
  get ddl(): Ddl {
    return this.#driver.ddl
  }

  /** The first contact, before anything else: throws what the driver throws where there is no database. */
  async connect(): Promise<void> {
    this.#reader = await this.#driver.openReader()
    this.#dialect = await this.read(session => this.#driver.connect(session))
  }

  /** Stands for election among the processes on this database. */
  async stand(): Promise<void> {
    await this.#election?.start()
  }

  /** Does this process number the places of links with whole numbers? One of all on a database does. */
  get isNumberer(): boolean {
    return this.#election?.isElected ?? true
  }

  /** Hears every statement, or nobody any more. */
  listen(listener: StatementListener): void {
    this.#pool.listener = listener
    if (this.#reader !== null) this.#reader.listener = listener
  }

  /** The transaction that runs around the caller, if one does. */
  get current(): Transaction | undefined {
    return this.#current
  }

  get #current(): RunningTransaction | undefined {
    const running = this.#running.getStore()
    return running?.isOpen === true ? running : undefined
  }

  /**
   * Runs a read in the caller's transaction or on a reading connection. `isAbandoned` tells whether nobody waits for the answer
   * any more: on servers the read is cancelled then. Reads of one `shape` cost about the same; on servers slow ones share a few
   * connections.
   */
  read<T>(work: (session: Session) => Maybe<T>, isAbandoned?: IsAbandoned, shape?: object): Maybe<T> {
    const current = this.#current
    if (current !== undefined) return work(current)
    if (this.#reader !== null) return this.#reader.read(work, isAbandoned, shape)
    // A database in memory has one connection: while an update keeps it, its reads use it, too.
    if (this.#driver.hasOneWriter && this.#heldHere?.isTaken === true) return this.#readOnWriter(work)
    return this.#pool.read(work, isAbandoned, shape)
  }

  /**
   * Like read(); in a transaction of a database that reads on the event loop, a read that takes long throws UnavailableError,
   * for there is nowhere else to run it.
   */
  readBriefly<T>(work: (session: Session) => Maybe<T>, isAbandoned?: IsAbandoned): Maybe<T> {
    return this.#current?.brief(work) ?? this.read(work, isAbandoned)
  }

  /** Runs a read without limits of time: questions of migrations, which may look at every row. */
  async readUnlimited<T>(work: (session: Session) => Maybe<T>): Promise<T> {
    const current = this.#current
    if (current !== undefined) return work(current)
    return this.#pool.use(own => this.#bracket.runUnlimited(own, async () => work(own)))
  }

  /** What takes the limits of time from a connection of knex, and what sets them again; null where there are none. */
  get limits(): Limits | null {
    return this.#driver.limits ?? null
  }

  /**
   * Runs a read where writes run, outside of any transaction. Reads below `work` use the same connection: on servers a second
   * one might never become free, and on SQLite a reading connection would have to forget its cached pages after every commit.
   */
  readWhereWritten<T>(work: (session: Session) => Maybe<T>): Maybe<T> {
    const current = this.#current
    if (current !== undefined) return work(current)
    return this.#readOnWriter(work)
  }

  async #readOnWriter<T>(work: (session: Session) => Maybe<T>): Promise<T> {
    let after: readonly (() => unknown)[] = []
    try {
      return await this.#onWriter(async session => {
        // Reads below find the connection as they find a transaction's.
        const here = new RunningTransaction(this.knex, session, null, true)
        try {
          return await this.#running.run(here, async () => work(here))
        } finally {
          await here.waitForSavepoints()
          here.isOpen = false
          here.end()
          if (session.holdsNames) await unlockNames(session)
          after = here.after
        }
      })
    } catch (error) {
      throw unavailable(error) ?? error
    } finally {
      // With the connection given back: what runs here may need one.
      await this.#runAfter(after)
    }
  }

  /** Keeps the writing connection, once it was needed, until `work` is done; where many write, each has its own. */
  async withPinnedWriter<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#driver.hasOneWriter || this.#heldHere !== undefined || this.#current !== undefined) return work()
    const held = new PinnedConnection(this.#pool)
    try {
      return await this.#held.run(held, work)
    } finally {
      await held.close()
    }
  }

  get #heldHere(): PinnedConnection | undefined {
    const held = this.#held.getStore()
    return held?.isOpen === true ? held : undefined
  }

  #onWriter<T>(work: (session: DriverSession) => Promise<T>, waitTimeout = this.#waitTimeout): Promise<T> {
    return this.#heldHere?.run(work) ?? this.#pool.use(work, waitTimeout)
  }

  async #runAfter(after: readonly (() => unknown)[]): Promise<void> {
    for (const fn of after) {
      try {
        await fn()
      } catch (error) {
        this.#report(error, 'after commit')
      }
    }
  }

  /** Differs when an entry was changed since it was looked at; `locks` keeps others from changing it. */
  async rowVersion(session: Session, table: string, id: number, locks: boolean): Promise<string> {
    return this.#driver.rowVersion(session, table, id, locks)
  }

  /** Changes when anyone committed, as far as `session` can see it; null where that cannot be told. */
  version(session: Session): number | null {
    if (this.#current !== undefined) return null
    return this.#reader === null ? this.#commits : this.#reader.version(session)
  }

  /**
   * Runs `work` in a transaction: COMMIT when it returns, ROLLBACK when it throws, again when it conflicts. Inside
   * another one it is a part of it, which can fail alone. There is no other way to begin one. Success is reported after
   * COMMIT succeeded.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const outer = this.#current
    if (outer !== undefined) return outer.savepoint(part => this.#running.run(part, () => work(part)))
    const { result, after } = await this.#commit(work, options, performance.now() + this.#waitTimeout)
    // With the connection and the turn given back: what runs here may write itself, also the same entry.
    if (after.length > 0) await this.#runAfter(after)
    return result
  }

  /** Gives the work for after COMMIT. `deadline`: until when it waits for its turn, where there is one writer. */
  #commit<T>(
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions,
    deadline: number,
  ): Promise<Committed<T>> {
    if (!this.#driver.hasOneWriter) return this.#commitBeside(work, options)
    // The one writer's connection is kept while another process writes: whoever came first goes first.
    const run = (session: DriverSession) => retryUntil(deadline, () => this.#run(session, work, options))
    return this.#onWriter(run, deadline - performance.now())
  }

  /** Commits where others commit at the same time. */
  async #commitBeside<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<Committed<T>> {
    const { turn, isUnlimited = false } = options
    const run = (session: DriverSession) =>
      isUnlimited
        ? this.#bracket.runUnlimited(session, () => this.#run(session, work, options))
        : this.#run(session, work, options)
    const entered = turn === undefined ? undefined : this.#queue.enter(turn, this.#waitTimeout)
    if (entered !== undefined) await entered
    try {
      const committed = await retryConflicts(() => this.#onWriter(run), this.#lockPatience)
      if (this.#commits !== null) this.#commits++
      return committed
    } finally {
      if (turn !== undefined) this.#queue.leave(turn)
    }
  }

  /**
   * Like transaction(), for short work that waits for nothing but the database: where there is one writer, what arrives
   * together is committed together.
   */
  async grouped<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (!this.#driver.hasOneWriter) return this.transaction(work, options)
    if (this.#current !== undefined || this.#heldHere?.isTaken === true) return this.transaction(work, options)
    return this.#group.add(work as never, options, performance.now() + this.#waitTimeout)
  }

  /** BEGIN and COMMIT around the writes of a group, which begins once at most. */
  async #commitGroup(
    work: (session: DriverSession, tx: RunningTransaction) => Promise<void>,
    deadline: number,
  ): Promise<void> {
    let hasBegun = false
    const enter = (session: DriverSession) => (tx: RunningTransaction) => {
      hasBegun = true
      return work(session, tx)
    }
    await this.#pool.use(
      session =>
        retryUntil(
          deadline,
          () => this.#bracket.run(session, {}, enter(session)),
          () => !hasBegun,
        ),
      deadline - performance.now(),
    )
  }

  async #run<T>(
    session: DriverSession,
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<Committed<T>> {
    const enter = async (tx: RunningTransaction) => {
      if (options.isPrivate === true) return { result: await work(tx), after: [] }
      const result = await this.#running.run(tx, () => work(tx))
      await tx.waitForSavepoints()
      return { result, after: tx.after }
    }
    return this.#bracket.run(session, options, enter)
  }

  async close(): Promise<void> {
    await this.#election?.close()
    await this.#reader?.close()
    this.#driver.close()
    await this.#pool.close()
  }
}
