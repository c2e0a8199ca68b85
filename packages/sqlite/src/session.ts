// A session on a better-sqlite3 connection, which runs statements synchronously. Statements are prepared once per
// connection: knex would prepare each query again, which costs more than running it.

import {
  type Bound,
  type BoundStatement,
  bytesOfRow,
  type Change,
  type DriverSession,
  NoRoomError,
  type RowBytes,
  type Rows,
  type StatementListener,
  type StatementObserver,
  UnavailableError,
} from '@plinth/kernel/database'
import type BetterSqlite3 from 'better-sqlite3'
import { OverdueError, type StatementClock } from './clock.ts'
import { clockOf } from './connection.ts'
import { sqliteErrors, thrownFor } from './errors.ts'
import { PreparedText } from './prepared.ts'
import { PreparedTexts } from './prepared-texts.ts'

/** The statements that a connection keeps prepared. */
const preparedBounds = { maxStatements: 2000, maxLetters: 4 * 1024 * 1024 }

/** Milliseconds of processor time for all statements of a read that must be short. */
const briefly = 60

const none: readonly Bound[] = []

/** A session on a better-sqlite3 connection. */
export class SqliteSession implements DriverSession {
  readonly connection: BetterSqlite3.Database
  readonly clock: StatementClock
  readonly #prepared = new PreparedTexts(preparedBounds)
  /** Milliseconds that a statement may run. */
  readonly #waitTimeout: number
  /** Milliseconds of processor time left to a read that must be short; null for other reads. */
  #left: number | null = null
  readonly errors = sqliteErrors
  readonly canBatch = false
  readonly holdsNames = false
  listener: StatementListener = null
  observer: StatementObserver | null = null

  constructor(connection: BetterSqlite3.Database, waitTimeout: number) {
    this.connection = connection
    this.#waitTimeout = waitTimeout
    this.clock = clockOf(connection)
  }

  get inTransaction(): boolean {
    return this.connection.inTransaction
  }

  /** IMMEDIATE, because a transaction that begins as a reader cannot write after another one has written. */
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
      throw new UnavailableError('The database took too long for this query', { retryAfter: 5, cause: error })
    }
  }

  /** Not needed with a single writer. */
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

  /**
   * Runs a statement under the current setting of the clock; `text` is what the listener receives. Throws OverdueError
   * and UnavailableError.
   */
  read(prepared: PreparedText, text: string, values: readonly Bound[]): Rows {
    const { observer } = this
    if (this.listener !== null) this.listener(text)
    if (observer !== null) observer.onBegin()
    try {
      return prepared.statement.all(values) as Rows
    } catch (error) {
      throw thrownFor(error)
    } finally {
      if (observer !== null) observer.onEnd()
    }
  }

  /** Like `read`, but fetches row by row. Throws NoRoomError at the first row for which there is no room. */
  readUpTo(prepared: PreparedText, text: string, values: readonly Bound[], bytes: RowBytes): Rows {
    const { observer } = this
    if (this.listener !== null) this.listener(text)
    if (observer !== null) observer.onBegin()
    const rows: Rows = []
    const { left } = bytes
    let size = 0
    try {
      for (const row of prepared.statement.iterate(values) as IterableIterator<unknown[]>) {
        size += bytesOfRow(row)
        if (size > left) break
        rows.push(row)
      }
    } catch (error) {
      throw thrownFor(error)
    } finally {
      if (observer !== null) observer.onEnd()
    }
    if (size > left) throw new NoRoomError(size)
    prepared.usualBytes = size
    if (!bytes.add(size)) throw new NoRoomError(0)
    return rows
  }

  batch(steps: readonly BoundStatement[]): Rows[] {
    return steps.map(({ text, values }) => this.all(text, values))
  }

  run(text: string, values: readonly Bound[]): Change {
    const { observer } = this
    if (this.listener !== null) this.listener(text)
    if (observer !== null) observer.onBegin()
    try {
      const prepared = this.prepare(text, false)
      if (prepared.isTimed) this.clock.allow(this.#waitTimeout)
      const { changes, lastInsertRowid } = prepared.statement.run(values)
      return { changes, id: Number(lastInsertRowid) }
    } catch (error) {
      throw thrownFor(error)
    } finally {
      if (observer !== null) observer.onEnd()
    }
  }

  enqueue(text: string, values: readonly Bound[]): void {
    this.run(text, values)
  }

  flush(): void {}

  /** `inTransaction` shows a lost transaction. */
  failTransaction(): void {}

  /** Returns the prepared statement of a text. Throws UnavailableError. */
  prepare(text: string, isRead: boolean): PreparedText {
    const earlier = this.#prepared.get(text)
    if (earlier !== undefined) return earlier
    const prepared = this.#prepareAnew(text, isRead)
    this.#prepared.add(text, prepared)
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
