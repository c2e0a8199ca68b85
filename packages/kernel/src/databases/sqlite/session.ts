// A session on a better-sqlite3 connection, which answers at once. Statements are prepared once per connection: knex prepares
// anew for every query, which costs more than running it.

import type BetterSqlite3 from 'better-sqlite3'
import { UnavailableError } from '../../errors.ts'
import type { Bound } from '../../sql/dialect.ts'
import type { Change, Rows, StatementListener, BoundStatement } from '../../database/session.ts'
import type { DriverSession } from '../../database/driver.ts'
import { OverdueError, type StatementClock } from './clock.ts'
import { clockOf } from './connection.ts'
import { PreparedText } from './prepared.ts'
import { sqliteErrors, thrownFor } from './errors.ts'

/** Most characters of statements that a connection keeps. */
const maxText = 4 * 1024 * 1024

/** Milliseconds of the processor for all statements of a read that must be brief. */
const briefly = 60

const none: readonly Bound[] = []

/** A session on a better-sqlite3 connection. */
export class SqliteSession implements DriverSession {
  readonly connection: BetterSqlite3.Database
  readonly clock: StatementClock
  /** Texts are few and stable; should they ever not be, all are prepared anew. */
  readonly #prepared = new Map<string, PreparedText>()
  /** Milliseconds that a statement may run. */
  readonly #waitTimeout: number
  #size = 0
  /** Milliseconds of the processor that are left to reads that must be brief; null for others. */
  #left: number | null = null
  readonly errors = sqliteErrors
  readonly canBatch = false
  readonly holdsNames = false
  listener: StatementListener = null

  constructor(connection: BetterSqlite3.Database, waitTimeout: number) {
    this.connection = connection
    this.#waitTimeout = waitTimeout
    this.clock = clockOf(connection)
  }

  get inTransaction(): boolean {
    return this.connection.inTransaction
  }

  /** A transaction that begins as a reader cannot become a writer once another one wrote. */
  begin(): void {
    this.run('BEGIN IMMEDIATE', none)
  }

  commit(): void {
    this.run('COMMIT', none)
  }

  rollback(): void {
    this.run('ROLLBACK', none)
  }

  savepoint(name: string): void {
    this.run(`SAVEPOINT ${name}`, none)
  }

  releaseSavepoint(name: string): void {
    this.run(`RELEASE SAVEPOINT ${name}`, none)
  }

  rollbackTo(name: string): void {
    this.run(`ROLLBACK TO SAVEPOINT ${name}`, none)
  }

  all(text: string, values: readonly Bound[]): Rows {
    const prepared = this.prepare(text, true)
    if (!prepared.isTimed) return this.read(prepared, text, values)
    const began = performance.now()
    if (this.#left === null) this.clock.allow(this.#waitTimeout)
    else this.clock.share(began, this.#left)
    try {
      const rows = this.read(prepared, text, values)
      if (this.#left !== null) this.#left -= this.clock.used(performance.now() - began)
      return rows
    } catch (error) {
      if (!(error instanceof OverdueError)) throw error
      throw new UnavailableError('The database takes too long for this question', { retryAfter: 5, cause: error })
    }
  }

  /** There is one writer. */
  lockNames(): void {}

  unlockNames(): void {}

  async brief<T>(work: () => Promise<T>): Promise<T> {
    this.#left = briefly
    try {
      return await work()
    } finally {
      this.#left = null
    }
  }

  /** Runs a statement by the clock as it stands; `text` is what is told of it. Throws OverdueError, and UnavailableError. */
  read(prepared: PreparedText, text: string, values: readonly Bound[]): Rows {
    if (this.listener !== null) this.listener(text)
    try {
      return prepared.statement.all(values) as Rows
    } catch (error) {
      throw thrownFor(error)
    }
  }

  batch(steps: readonly BoundStatement[]): Rows[] {
    return steps.map(({ text, values }) => this.all(text, values))
  }

  run(text: string, values: readonly Bound[]): Change {
    if (this.listener !== null) this.listener(text)
    try {
      const prepared = this.prepare(text, false)
      if (prepared.isTimed) this.clock.allow(this.#waitTimeout)
      const { changes, lastInsertRowid } = prepared.statement.run(values)
      return { changes, id: Number(lastInsertRowid) }
    } catch (error) {
      throw thrownFor(error)
    }
  }

  enqueue(text: string, values: readonly Bound[]): void {
    this.run(text, values)
  }

  flush(): void {}

  /** `inTransaction` tells. */
  lose(): void {}

  /** A statement is prepared once. Throws UnavailableError. */
  prepare(text: string, isRead: boolean): PreparedText {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const prepared = this.#prepareAnew(text, isRead)
    this.#size += text.length
    if (this.#prepared.size >= 2000 || this.#size > maxText) {
      this.#prepared.clear()
      this.#size = text.length
    }
    this.#prepared.set(text, prepared)
    return prepared
  }

  #prepareAnew(text: string, isRead: boolean): PreparedText {
    try {
      return new PreparedText(this.connection, text, isRead)
    } catch (error) {
      throw thrownFor(error)
    }
  }
}
