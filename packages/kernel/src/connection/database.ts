// The database of a kernel: reads, transactions and the work after COMMIT, for all drivers. knex provides the pool and
// DDL; statements are prepared on its raw connections.

import type { Knex } from 'knex'
import type { Dialect } from '../sql/dialect.ts'
import { Bracket, type TransactionOptions } from './bracket.ts'
import { Callers, type ReportError } from './callers.ts'
import type { Connections } from './connections.ts'
import type { Ddl } from './ddl.ts'
import type { Driver } from './driver.ts'
import { Observers, type StatementObserver } from './observer.ts'
import { Outages } from './outages.ts'
import { Pool, type PoolUsage } from './pool.ts'
import type { Maybe, Session, StatementListener, Transaction } from './session.ts'
import type { DatabaseSettings } from './settings.ts'
import { inSnapshot } from './snapshot.ts'
import type { Reading } from './usage.ts'

/** The open database of one kernel. */
export class Database {
  #dialect: Dialect
  /**
   * A sentence for the log of the start about the way to the server, without a full stop; null if there is nothing to
   * say.
   */
  remark: string | null = null
  /** The file or the address, for messages; without user and password. */
  readonly place: string
  readonly knex: Knex
  readonly #driver: Driver
  /** The states that keep the database from answering. */
  readonly outages: Outages
  /** A table that is there since the start, which check() reads; null before. */
  checkedTable: string | null = null
  readonly #pool: Pool
  readonly #bracket: Bracket
  readonly #callers: Callers
  readonly #connections: Connections
  /** Milliseconds that a write waits for its turn or for a connection. */
  readonly #waitTimeout: number

  constructor(driver: Driver, settings: DatabaseSettings, report: ReportError) {
    const { place, log, acquireTimeout } = settings
    this.place = place
    this.#waitTimeout = acquireTimeout
    this.#driver = driver
    this.#dialect = driver.dialect
    this.outages = new Outages({ place, log, check: () => this.check() })
    const pool = new Pool(driver, { ...settings, note: error => this.outages.note(error) })
    const bracket = new Bracket(pool.knex, driver)
    const callers = new Callers({ knex: pool.knex, bracket, report })
    this.#pool = pool
    this.knex = pool.knex
    this.#bracket = bracket
    this.#callers = callers
    this.#connections = driver.connections({ pool, bracket, callers, settings })
  }

  get dialect(): Dialect {
    return this.#dialect
  }

  /** Reads and changes the tables of this database. */
  get ddl(): Ddl {
    return this.#driver.ddl
  }

  /** Makes a session read-only; null if transactions of readSnapshot() are. */
  get readOnlyStatement(): string | null {
    return this.#driver.readOnlyStatement
  }

  /**
   * Opens the first connection; must be called before anything else. Throws the driver's error if there is no database.
   */
  async connect(): Promise<void> {
    await this.#connections.open()
    await this.read(async session => {
      this.#dialect = await this.#driver.connect(session)
      this.remark = await this.#connections.settle(session)
    })
    this.outages.start()
  }

  /** Runs a short read on a table: a server may accept connections and refuse statements. Throws like read(). */
  async check(reading: Reading = {}): Promise<void> {
    const from = this.checkedTable === null ? '' : ` FROM ${this.#dialect.quote(this.checkedTable)} LIMIT 1`
    await this.read(session => session.all(`SELECT 1${from}`, []), reading)
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
  async joinElection(): Promise<void> {
    await this.#connections.joinElection()
  }

  /** True if this process numbers the places of links with whole numbers. One process per database does. */
  get assignsWholePlaces(): boolean {
    return this.#connections.isElected
  }

  /** The numbers of connections of the pool, and of callers that wait for one. */
  get connections(): PoolUsage {
    return this.#pool.usage
  }

  /** Sets the listener that is called for each statement; null removes it. */
  listen(listener: StatementListener): void {
    this.#pool.listener = listener
    this.#connections.listen(listener)
  }

  /**
   * Runs `work` and reports the statements that it causes to `observer`, besides the observer of an outer call. The first
   * call creates what this needs.
   */
  observe<T>(observer: StatementObserver, work: () => T): T {
    const observers = this.#callers.observers ?? this.#observeCallers()
    return observers.add(observer, work)
  }

  #observeCallers(): Observers {
    const observers = new Observers()
    this.#callers.observers = observers
    this.#pool.observers = observers
    this.#connections.observe(observers)
    return observers
  }

  /** The transaction in which the caller runs, if any. */
  get current(): Transaction | undefined {
    return this.#callers.current
  }

  /**
   * Runs a read in the caller's transaction or on a connection for reads. `isAbandoned` returns true if the client no
   * longer waits: on servers the read is then cancelled. Reads of one `shape` cost about the same; on servers, slow
   * reads share a few connections. Sessions that count the bytes of their rows (`Session.countsBytes`) use `bytes`.
   */
  read<T>(work: (session: Session) => Maybe<T>, reading?: Reading): Maybe<T> {
    const current = this.#callers.current
    if (current !== undefined) return work(current)
    return this.#connections.read(work, reading)
  }

  /**
   * Like read(). In a transaction on a database that reads on the event loop, a slow read throws UnavailableError,
   * because it cannot run in another process.
   */
  readBriefly<T>(work: (session: Session) => Maybe<T>, reading?: Reading): Maybe<T> {
    return this.#callers.current?.brief(work) ?? this.read(work, reading)
  }

  /** Runs a read without time limits, for statements of migrations that may scan whole tables. */
  async readUnlimited<T>(work: (session: Session) => Maybe<T>): Promise<T> {
    const current = this.#callers.current
    if (current !== undefined) return work(current)
    return this.#pool.use(own => this.#bracket.runUnlimited(own, async () => work(own)))
  }

  /**
   * Runs `work` on a connection of its own, which the pool does not count and which is closed afterwards. It has the
   * server's settings, and begins no transaction.
   */
  async onOwnConnection<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const connection = await this.#pool.openBeside()
    try {
      const session = this.#pool.sessionOn(connection)
      session.listener = this.#pool.listener
      return await work(session)
    } finally {
      await this.#pool.destroyBeside(connection)
    }
  }

  /**
   * Runs reads on one connection that all see the database as it is at the first of them, without time limits. Others
   * write meanwhile; on SQLite these must be other processes, because the connection is that for writes.
   */
  readSnapshot<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const tools = { knex: this.knex, begin: this.#driver.snapshot }
    return this.#pool.use(own => this.#bracket.runUnlimited(own, () => inSnapshot(tools, own, () => work(own))))
  }

  /** Runs `work` in a transaction of knex, without time limits. */
  unlimitedKnex<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.#pool.use(own => this.#bracket.runUnlimitedKnex(own, work))
  }

  /**
   * Runs a read on a connection for writes, outside any transaction. Reads within `work` use the same connection: on
   * servers, a second one might never become free; on SQLite, a connection for reads would have to drop its page cache
   * after every commit.
   */
  readWhereWritten<T>(work: (session: Session) => Maybe<T>): Maybe<T> {
    const current = this.#callers.current
    if (current !== undefined) return work(current)
    return this.#connections.readWhereWritten(work)
  }

  /**
   * Keeps other writes of this process from coming between the reads and the writes of `work`: with one writer, it has
   * the write connection from its first use until it ends. With many writers, locks do that.
   */
  withPinnedWriter<T>(work: () => Promise<T>): Promise<T> {
    return this.#callers.current === undefined ? this.#connections.withPinnedWriter(work) : work()
  }

  /** Returns a value that changes when the entry changes. `locks` also locks the entry. */
  async rowVersion(session: Session, table: string, id: number, locks: boolean): Promise<string> {
    return this.#driver.rowVersion(session, table, id, locks)
  }

  /** True if the reads of callers run concurrently, on connections of their own: on servers, outside transactions. */
  get readsBeside(): boolean {
    return this.#connections.readsBeside && this.#callers.current === undefined
  }

  /** Returns a number that changes with every commit that `session` can see; null if that is not known. */
  version(session: Session): number | null {
    if (this.#callers.current !== undefined) return null
    return this.#connections.version(session)
  }

  /**
   * Runs `work` in a transaction: COMMIT when it returns, ROLLBACK when it throws. Runs it again after a conflict.
   * Inside another transaction it runs in a savepoint, which can fail alone. There is no other way to begin a
   * transaction. Resolves only after COMMIT succeeded.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const outer = this.#callers.current
    if (outer !== undefined) return await outer.savepoint(nested => this.#callers.enter(nested, () => work(nested)))
    const { result, after } = await this.#connections.commit(work, options, performance.now() + this.#waitTimeout)
    if (this.outages.isOfWrites) this.outages.answered(true)
    // The connection and the entry queue are released first: these functions may write, even the same entry.
    if (after.length > 0) await this.#callers.runAfter(after)
    return result
  }

  /**
   * Like transaction(), for short work that waits for nothing but the database: with a single writer, writes that
   * arrive together share one COMMIT.
   */
  grouped<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.#callers.current !== undefined || this.outages.isOfWrites) return this.transaction(work, options)
    const committed = this.#connections.commitTogether(work, options, performance.now() + this.#waitTimeout)
    return committed ?? this.transaction(work, options)
  }

  async close(): Promise<void> {
    const endOfCheck = this.outages.close()
    await this.#connections.close()
    this.#driver.close()
    await this.#pool.close()
    await endOfCheck
  }
}
