// The database: pool and DDL by knex, prepared statements on its raw connections. Reads of a SQLite file have a connection
// of their own, so that they never see half a transaction.

import { AsyncLocalStorage } from 'node:async_hooks'
import BetterSqlite3 from 'better-sqlite3'
import createKnex, { type Knex } from 'knex'
import { UnavailableError } from '../errors.ts'
import type { Dialect } from '../sql/dialect.ts'
import { sqlite } from '../sql/sqlite.ts'
import type { ResolvedDatabase } from './config.ts'
import { CommitGroup, type Waiting } from './group.ts'
import { HeldConnection } from './held.ts'
import { isTransient, retryConflicts } from './retry.ts'
import type { Maybe, Session, StatementListener, Transaction } from './session.ts'
import { SqliteSession, tuneConnection } from './statements.ts'
import { SqliteTransaction } from './transaction.ts'

/** What after-commit work does with its errors. */
export type ReportError = (error: unknown, what: string) => void

/** The open database of one kernel. */
export class Database {
  readonly dialect: Dialect = sqlite
  readonly knex: Knex
  readonly #reader: SqliteSession | null
  readonly #sessions = new WeakMap<object, SqliteSession>()
  readonly #group = new CommitGroup(group => this.#runGroup(group))
  readonly #held = new AsyncLocalStorage<HeldConnection<BetterSqlite3.Database>>()
  readonly #running = new AsyncLocalStorage<SqliteTransaction>()
  readonly #report: ReportError
  #listener: StatementListener = null

  constructor(config: ResolvedDatabase, report: ReportError) {
    this.#report = report
    this.knex = createKnex({
      client: 'better-sqlite3',
      connection: { filename: config.filename },
      useNullAsDefault: true,
      pool: {
        min: 1,
        max: 1,
        afterCreate: (connection: BetterSqlite3.Database, done: (error: Error | null, connection: unknown) => void) => {
          tuneConnection(connection, config.synchronous)
          done(null, connection)
        },
      },
      acquireConnectionTimeout: config.acquireTimeout,
    })
    if (config.filename === ':memory:') {
      // A second connection would open a second, empty database.
      this.#reader = null
    } else {
      const connection = new BetterSqlite3(config.filename)
      tuneConnection(connection, config.synchronous)
      this.#reader = new SqliteSession(connection)
    }
  }

  /** Hears every statement, or nobody any more. */
  listen(listener: StatementListener): void {
    this.#listener = listener
    if (this.#reader !== null) this.#reader.listener = listener
  }

  /** The transaction that runs around the caller, if one does. */
  get current(): Transaction | undefined {
    return this.#current
  }

  get #current(): SqliteTransaction | undefined {
    const running = this.#running.getStore()
    return running?.isOpen === true ? running : undefined
  }

  /** Runs a read in the caller's transaction or on the reading connection. */
  read<T>(work: (session: Session) => Maybe<T>): Maybe<T> {
    const session = this.#current ?? this.#reader
    return session === null
      ? this.#withConnection(async connection => work(this.#sessionOf(connection)))
      : work(session)
  }

  /**
   * Runs a read where writes run, outside of any transaction: a write looks at what it will change where it will change it,
   * and the reading connection would have to forget its cached pages after every commit.
   */
  readWhereWritten<T>(work: (session: Session) => Maybe<T>): Maybe<T> {
    const current = this.#current
    if (current !== undefined) return work(current)
    return this.#onWriter(async connection => {
      // Reads below find the connection as they find a transaction's.
      const here = new SqliteTransaction(this.knex, this.#sessionOf(connection))
      try {
        return await this.#running.run(here, async () => work(here))
      } finally {
        await here.settle()
        here.isOpen = false
        await this.#runAfter(here.after)
      }
    })
  }

  /** Keeps the writing connection, once it was needed, until `work` is done. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const outer = this.#heldHere
    if (outer !== undefined || this.#current !== undefined) return work()
    const held = new HeldConnection(
      () => this.#acquire(),
      connection => this.knex.client.releaseConnection(connection),
    )
    try {
      return await this.#held.run(held, work)
    } finally {
      await held.close()
    }
  }

  get #heldHere(): HeldConnection<BetterSqlite3.Database> | undefined {
    const held = this.#held.getStore()
    return held?.isOpen === true ? held : undefined
  }

  #onWriter<T>(work: (connection: BetterSqlite3.Database) => Promise<T>): Promise<T> {
    return this.#heldHere?.run(work) ?? this.#withConnection(work)
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

  /** Changes when another connection than the session's committed. */
  async versionOf(session: Session): Promise<number> {
    return (await session.all('PRAGMA data_version', []))[0]![0] as number
  }

  /** Changes when another connection committed; null where that cannot be told. */
  version(): number | null {
    if (this.#reader === null || this.#current !== undefined) return null
    return this.#reader.all('PRAGMA data_version', [])[0]![0] as number
  }

  /**
   * Runs `work` in a transaction: COMMIT when it returns, ROLLBACK when it throws, again when it conflicts. Inside
   * another one it is a part of it, which can fail alone. There is no other way to begin one. Success is reported after COMMIT succeeded.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const outer = this.#current
    if (outer !== undefined) return outer.part(part => this.#running.run(part, () => work(part)))
    const { result, after } = await retryConflicts(() => this.#onWriter(connection => this.#run(connection, work)))
    await this.#runAfter(after)
    return result
  }

  /**
   * Like transaction(), for short work that waits for nothing but the database: what arrives together is committed
   * together.
   */
  async grouped<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#current !== undefined || this.#heldHere?.isTaken === true) return this.transaction(work)
    return this.#group.add(work as Waiting['work'])
  }

  /** Commits a group; where the whole of it fails, each write is tried alone. */
  async #runGroup(group: readonly Waiting[]): Promise<void> {
    const alone = (one: Waiting) => one.enter(() => this.transaction(one.work as never)).then(one.resolve, one.reject)
    if (group.length === 1) return alone(group[0]!)
    const ends: { one: Waiting; after: readonly (() => unknown)[]; end: () => void }[] = []
    try {
      await this.#withConnection(connection => this.#runParts(connection, group, ends))
    } catch {
      // Nothing is committed and nobody was told otherwise.
      for (const one of group) await alone(one)
      return
    }
    for (const { one, after, end } of ends) {
      end()
      if (after.length > 0) one.enter(() => void this.#runAfter(after))
    }
  }

  async #runParts(
    connection: BetterSqlite3.Database,
    group: readonly Waiting[],
    ends: { one: Waiting; after: readonly (() => unknown)[]; end: () => void }[],
  ): Promise<void> {
    const session = this.#sessionOf(connection)
    const tx = new SqliteTransaction(this.knex, session)
    session.run('BEGIN IMMEDIATE', [])
    try {
      for (const one of group) {
        let own: SqliteTransaction | null = null
        const enter = (part: SqliteTransaction) => {
          own = part
          return one.enter(() => this.#running.run(part, () => one.work(part as never)))
        }
        try {
          const value = await tx.part(enter, false)
          ends.push({ one, after: (own as SqliteTransaction | null)?.after ?? [], end: () => one.resolve(value) })
        } catch (error) {
          // A conflict or a broken connection concerns the whole group.
          if (!connection.inTransaction || isTransient(error)) throw error
          ends.push({ one, after: [], end: () => one.reject(error) })
        }
      }
      session.run('COMMIT', [])
    } catch (error) {
      if (connection.inTransaction) session.run('ROLLBACK', [])
      throw error
    } finally {
      tx.isOpen = false
    }
  }

  async #run<T>(connection: BetterSqlite3.Database, work: (tx: Transaction) => Promise<T>) {
    const session = this.#sessionOf(connection)
    const tx = new SqliteTransaction(this.knex, session)
    session.run('BEGIN IMMEDIATE', [])
    try {
      const result = await this.#running.run(tx, () => work(tx))
      await tx.settle()
      session.run('COMMIT', [])
      return { result, after: tx.after }
    } catch (error) {
      if (connection.inTransaction) session.run('ROLLBACK', [])
      throw error
    } finally {
      tx.isOpen = false
    }
  }

  #sessionOf(connection: BetterSqlite3.Database): SqliteSession {
    const session = this.#sessions.get(connection) ?? new SqliteSession(connection)
    this.#sessions.set(connection, session)
    session.listener = this.#listener
    return session
  }

  async #withConnection<T>(work: (connection: BetterSqlite3.Database) => Maybe<T>): Promise<T> {
    const connection = await this.#acquire()
    try {
      return await work(connection)
    } finally {
      this.knex.client.releaseConnection(connection)
    }
  }

  async #acquire(): Promise<BetterSqlite3.Database> {
    try {
      return await this.knex.client.acquireConnection()
    } catch (error) {
      if ((error as Error).name === 'KnexTimeoutError') throw new UnavailableError('No database connection is free')
      throw error
    }
  }

  async close(): Promise<void> {
    this.#reader?.connection.close()
    await this.knex.destroy()
  }
}
