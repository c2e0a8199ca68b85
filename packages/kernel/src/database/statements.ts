// Prepared statements of one SQLite connection: knex prepares anew for every query, which costs more than running it.

import type BetterSqlite3 from 'better-sqlite3'
import type { Bound } from '../sql/dialect.ts'
import type { Change, Rows, Session, StatementListener } from './session.ts'

/** A session on a better-sqlite3 connection. */
export class SqliteSession implements Session {
  readonly connection: BetterSqlite3.Database
  /** Texts are few and stable; should they ever not be, all are prepared anew. */
  readonly #prepared = new Map<string, BetterSqlite3.Statement>()
  /** Set while somebody listens. */
  listener: StatementListener = null

  constructor(connection: BetterSqlite3.Database) {
    this.connection = connection
  }

  all(text: string, values: readonly Bound[]): Rows {
    if (this.listener !== null) this.listener(text)
    return this.#prepare(text, true).all(values) as Rows
  }

  run(text: string, values: readonly Bound[]): Change {
    if (this.listener !== null) this.listener(text)
    const { changes, lastInsertRowid } = this.#prepare(text, false).run(values)
    return { changes, id: Number(lastInsertRowid) }
  }

  #prepare(text: string, isRead: boolean): BetterSqlite3.Statement {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.connection.prepare(text)
    if (isRead) statement.raw(true)
    if (this.#prepared.size >= 2000) this.#prepared.clear()
    this.#prepared.set(text, statement)
    return statement
  }
}

/** Settings of every connection: readers do not wait for writers, writers wait a moment for each other. */
export function tuneConnection(connection: BetterSqlite3.Database, synchronous: string): void {
  connection.pragma('journal_mode = WAL')
  connection.pragma(`synchronous = ${synchronous.toUpperCase()}`)
  connection.pragma('foreign_keys = ON')
  // Checkpoints copy what changed since the last one: rarer ones copy a busy page once.
  connection.pragma('wal_autocheckpoint = 10000')
  connection.pragma('busy_timeout = 250')
  connection.pragma('temp_store = MEMORY')
  connection.pragma('cache_size = -65536')
  connection.pragma('mmap_size = 268435456')
}
