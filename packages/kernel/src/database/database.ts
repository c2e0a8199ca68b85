// The database of a kernel: reads, transactions and the work after COMMIT, for all drivers. knex provides the pool and
// DDL; statements are prepared on its raw connections.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import type { Dialect } from '../sql/dialect.ts'
import { Bracket, type TransactionOptions } from './bracket.ts'
import { Committer } from './committer.ts'
import type { Driver, Limits, Reader } from './driver.ts'
import type { Ddl } from './ddl.ts'
import { Election } from './election.ts'
import { CommitGroup, commitGroup } from './group.ts'
import { Observers, type StatementObserver } from './observer.ts'
import { Pool, type PoolTimes, type PoolUsage } from './pool.ts'
import type { Maybe, Session, StatementListener, Transaction } from './session.ts'
import type { RunningTransaction } from './transaction.ts'
import type { IsAbandoned } from './usage.ts'
import { WriteConnection } from './write-connection.ts'

/** Receives the errors of work after COMMIT. */
export type ReportError = (error: unknown, what: string) => void

/** Settings that all databases have in common. */
export interface DatabaseSettings extends PoolTimes {
  /** Servers: milliseconds to wait for a locked row or table. */
  readonly lockTimeout?: number
  /** No other process writes: totals may be cached until this process writes. */
  readonly rememberTotals?: boolean
  /** The file or the address, for messages; without user and password. */
  readonly place: string
}

/** The open database of one kernel. */
export class Database {
  #dialect: Dialect
  /** The file or the address, for messages; without user and password. */
  readonly place: string
  readonly knex: Knex
  readonly #driver: Driver
  readonly #pool: Pool
  readonly #bracket: Bracket
  readonly #election: Election | null
  #reader: Reader | null = null
  readonly #group = new CommitGroup({
    commit: (work, deadline) => commitGroup({ pool: this.#pool, bracket: this.#bracket }, work, deadline),
    alone: (work, options, deadline) => this.#committer.commit(work as never, options, deadline),
    enter: (tx, work) => this.#running.run(tx, work),
    runAfter: after => this.#runAfter(after),
    observer: () => this.#observers?.current ?? null,
    observe: (observer, work) => this.#observers!.run(observer, work),
    attach: (session, observer) => this.#pool.attach(session, observer),
  })
  readonly #committer: Committer
  readonly #writer: WriteConnection
  readonly #running = new AsyncLocalStorage<RunningTransaction>()
  #observers: Observers | null = null
  readonly #report: ReportError
  /** Milliseconds that a write waits for its turn or for a connection. */
  readonly #waitTimeout: number

  constructor(driver: Driver, settings: DatabaseSettings, report: ReportError) {
    this.#report = report
    this.place = settings.place
    this.#waitTimeout = settings.acquireTimeout
    this.#driver = driver
    this.#dialect = driver.dialect
    this.#pool = new Pool(driver, settings)
    this.knex = this.#pool.knex
    this.#bracket = new Bracket(this.knex, this.#driver)
    this.#writer = new WriteConnection({
      knex: this.knex,
      pool: this.#pool,
      waitTimeout: this.#waitTimeout,
      enter: (tx, work) => this.#running.run(tx, work),
      runAfter: after => this.#runAfter(after),
    })
    this.#election = this.#driver.electionText === null ? null : new Election(this.knex, this.#driver)
    this.#committer = new Committer({
      driver,
      bracket: this.#bracket,
      writer: this.#writer,
      maxConnections: this.#pool.max,
      settings,
      enter: (tx, work) => this.#running.run(tx, work),
    })
  }

  get dialect(): Dialect {
    return this.#dialect
  }

  /** Reads and changes the tables of this database. */
  get ddl(): Ddl {
    return this.#driver.ddl
  }

  /**
   * Opens the first connection; must be called before anything else. Throws the driver's error if there is no database.
   */
  async connect(): Promise<void> {
    this.#reader = await this.#driver.openReader()
    this.#dialect = await this.read(session => this.#driver.connect(session))
  }

  /**
   * Finds the columns of texts that cannot hold every text, as the tables are now; returns their character sets by table.
   */
  async findNarrow(): Promise<ReadonlyMap<string, string>> {
    const { findNarrow } = this.#driver
    if (findNarrow === undefined) return new Map()
    return this.readUnlimited(session => findNarrow(session, this.#dialect))
  }

  /** Takes part in the election among the processes that use this database. */
  async stand(): Promise<void> {
    await this.#election?.start()
  }

  /** Whether this process numbers the places of links with whole numbers. One process per database does. */
  get isNumberer(): boolean {
    return this.#election?.isElected ?? true
  }

  /** How many connections the pool has. */
  get connections(): PoolUsage {
    return this.#pool.usage
  }

  /** Sets the listener that is called for each statement; null removes it. */
  listen(listener: StatementListener): void {
    this.#pool.listener = listener
    if (this.#reader !== null) this.#reader.listener = listener
  }

  /**
   * Runs `work` and reports the statements that it causes to `observer`, besides the observer of an outer call. The first
   * call creates what this needs.
   */
  observe<T>(observer: StatementObserver, work: () => T): T {
    this.#observers ??= this.#startObserving()
    return this.#observers.add(observer, work)
  }

  #startObserving(): Observers {
    const observers = new Observers()
    this.#pool.observers = observers
    if (this.#reader !== null) this.#reader.observers = observers
    return observers
  }

  /** The transaction in which the caller runs, if any. */
  get current(): Transaction | undefined {
    return this.#current
  }

  get #current(): RunningTransaction | undefined {
    const running = this.#running.getStore()
    return running?.isOpen === true ? running : undefined
  }

  /**
   * Runs a read in the caller's transaction or on a connection for reads. `isAbandoned` returns true if the client no
   * longer waits: on servers the read is then cancelled. Reads of one `shape` cost about the same; on servers, slow
   * reads share a few connections.
   */
  read<T>(work: (session: Session) => Maybe<T>, isAbandoned?: IsAbandoned, shape?: object): Maybe<T> {
    const current = this.#current
    if (current !== undefined) return work(current)
    if (this.#reader !== null) return this.#reader.read(work, isAbandoned, shape)
    // A database in memory has one connection: while an update has pinned it, the reads of that update use it too.
    if (this.#driver.hasOneWriter && this.#writer.isTaken) return this.#writer.read(work)
    return this.#pool.read(work, isAbandoned, shape)
  }

  /**
   * Like read(). In a transaction on a database that reads on the event loop, a slow read throws UnavailableError,
   * because it cannot run in another process.
   */
  readBriefly<T>(work: (session: Session) => Maybe<T>, isAbandoned?: IsAbandoned): Maybe<T> {
    return this.#current?.brief(work) ?? this.read(work, isAbandoned)
  }

  /** Runs a read without time limits, for statements of migrations that may scan whole tables. */
  async readUnlimited<T>(work: (session: Session) => Maybe<T>): Promise<T> {
    const current = this.#current
    if (current !== undefined) return work(current)
    return this.#pool.use(own => this.#bracket.runUnlimited(own, async () => work(own)))
  }

  /**
   * Runs reads on one connection that all see the database as it is at the first of them, without time limits. Others
   * write meanwhile; on SQLite these must be other processes, because the connection is that for writes.
   */
  readSnapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#pool.use(own =>
      this.#bracket.runUnlimited(own, async () => {
        // By knex: the drivers' own sessions prepare statements, and MySQL prepares none that begins a transaction.
        for (const text of this.#driver.snapshot) await this.knex.raw(text).connection(own.connection)
        const end = async () => this.knex.raw('ROLLBACK').connection(own.connection)
        let result: T
        try {
          result = await work(own)
        } catch (error) {
          // On a connection that is lost this fails, too; what matters is the first error.
          await end().catch(() => {})
          throw error
        }
        await end()
        return result
      }),
    )
  }

  /** The statements that lift and restore the time limits of a connection; null if there are no limits. */
  get limits(): Limits | null {
    return this.#driver.limits ?? null
  }

  /**
   * Runs a read on a connection for writes, outside any transaction. Reads within `work` use the same connection: on
   * servers, a second one might never become free; on SQLite, a connection for reads would have to drop its page cache
   * after every commit.
   */
  readWhereWritten<T>(work: (session: Session) => Maybe<T>): Maybe<T> {
    const current = this.#current
    if (current !== undefined) return work(current)
    return this.#writer.read(work)
  }

  /**
   * Pins the write connection from its first use until `work` ends. On databases with several writers, runs `work` as
   * is.
   */
  withPinnedWriter<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#driver.hasOneWriter || this.#writer.isPinned || this.#current !== undefined) return work()
    return this.#writer.withPinned(work)
  }

  async #runAfter(after: readonly (() => unknown)[]): Promise<void> {
    for (const fn of after) {
      try {
        await fn()
      } catch (error) {
        this.#report(error, 'A function that runs after the commit failed')
      }
    }
  }

  /** Returns a value that changes when the entry changes. `locks` also locks the entry. */
  async rowVersion(session: Session, table: string, id: number, locks: boolean): Promise<string> {
    return this.#driver.rowVersion(session, table, id, locks)
  }

  /** Whether the reads of callers run beside each other, on connections of their own: on servers, outside transactions. */
  get readsBeside(): boolean {
    return !this.#driver.hasOneWriter && this.#current === undefined
  }

  /** Returns a number that changes with every commit that `session` can see; null if that is not known. */
  version(session: Session): number | null {
    if (this.#current !== undefined) return null
    return this.#reader === null ? this.#committer.count : this.#reader.version(session)
  }

  /**
   * Runs `work` in a transaction: COMMIT when it returns, ROLLBACK when it throws. Runs it again after a conflict.
   * Inside another transaction it runs in a savepoint, which can fail alone. There is no other way to begin a
   * transaction. Resolves only after COMMIT succeeded.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const outer = this.#current
    if (outer !== undefined) return await outer.savepoint(nested => this.#running.run(nested, () => work(nested)))
    const { result, after } = await this.#committer.commit(work, options, performance.now() + this.#waitTimeout)
    // The connection and the entry queue are released first: these functions may write, even the same entry.
    if (after.length > 0) await this.#runAfter(after)
    return result
  }

  /**
   * Like transaction(), for short work that waits for nothing but the database: with a single writer, writes that
   * arrive together share one COMMIT.
   */
  grouped<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (!this.#driver.hasOneWriter) return this.transaction(work, options)
    if (this.#current !== undefined || this.#writer.isTaken) return this.transaction(work, options)
    return this.#group.add(work as never, options, performance.now() + this.#waitTimeout)
  }

  async close(): Promise<void> {
    await this.#election?.close()
    await this.#reader?.close()
    this.#driver.close()
    await this.#pool.close()
  }
}
