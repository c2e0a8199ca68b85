// SQLite by better-sqlite3: answers at once. Statements are prepared once per connection: knex prepares anew for every
// query, which costs more than running it.

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Bound } from '../../sql/dialect.ts'
import { sqlite } from '../../sql/sqlite.ts'
import type { ResolvedDatabase } from '../config.ts'
import type { Change, Rows, StatementListener, Step } from '../session.ts'
import type { Driver, DriverSession } from './driver.ts'

/** Most characters of statements that a connection keeps. */
const mostText = 4 * 1024 * 1024

/** A session on a better-sqlite3 connection. */
export class SqliteSession implements DriverSession {
  readonly connection: BetterSqlite3.Database
  /** Texts are few and stable; should they ever not be, all are prepared anew. */
  readonly #prepared = new Map<string, BetterSqlite3.Statement>()
  #size = 0
  readonly joins = false
  readonly holdsNames = false
  listener: StatementListener = null

  constructor(connection: BetterSqlite3.Database) {
    this.connection = connection
  }

  get inTransaction(): boolean {
    return this.connection.inTransaction
  }

  all(text: string, values: readonly Bound[]): Rows {
    if (this.listener !== null) this.listener(text)
    return this.#prepare(text, true).all(values) as Rows
  }

  allOf(steps: readonly Step[]): Rows[] {
    return steps.map(({ text, values }) => this.all(text, values))
  }

  run(text: string, values: readonly Bound[]): Change {
    if (this.listener !== null) this.listener(text)
    const { changes, lastInsertRowid } = this.#prepare(text, false).run(values)
    return { changes, id: Number(lastInsertRowid) }
  }

  send(text: string, values: readonly Bound[]): void {
    this.run(text, values)
  }

  flush(): void {}

  /** There is one writer. */
  lockNames(): void {}

  unlockNames(): void {}

  /** `inTransaction` tells. */
  lose(): void {}

  #prepare(text: string, isRead: boolean): BetterSqlite3.Statement {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.connection.prepare(text)
    if (isRead) statement.raw(true)
    this.#size += text.length
    if (this.#prepared.size >= 2000 || this.#size > mostText) {
      this.#prepared.clear()
      this.#size = text.length
    }
    this.#prepared.set(text, statement)
    return statement
  }
}

/** Settings of every connection: readers do not wait for writers, writers wait a moment for each other. */
function tuneConnection(connection: BetterSqlite3.Database, synchronous: string): void {
  connection.pragma('busy_timeout = 250')
  connection.pragma('journal_mode = WAL')
  connection.pragma(`synchronous = ${synchronous.toUpperCase()}`)
  connection.pragma('foreign_keys = ON')
  // Checkpoints copy what changed since the last one: rarer ones copy a busy page once.
  connection.pragma('wal_autocheckpoint = 10000')
  connection.pragma('temp_store = MEMORY')
  connection.pragma('cache_size = -65536')
  connection.pragma('mmap_size = 268435456')
  // SQLite's own folds the letters of ASCII only (sql/sqlite.ts).
  connection.function('plinth_lower', { deterministic: true }, text =>
    typeof text === 'string' ? text.toLowerCase() : (text as null),
  )
}

type SqliteDatabase = Extract<ResolvedDatabase, { client: 'sqlite' }>

/** The driver of a SQLite file. */
export function createSqliteDriver(config: SqliteDatabase): Driver {
  const { filename, synchronous } = config
  if (filename !== ':memory:') mkdirSync(dirname(filename), { recursive: true })
  let reader: SqliteSession | null = null
  return {
    dialect: sqlite,
    meet: () => sqlite,
    knex: {
      client: 'better-sqlite3',
      connection: { filename },
      useNullAsDefault: true,
      pool: {
        min: 1,
        max: 1,
        afterCreate: (connection: BetterSqlite3.Database, done: (error: Error | null, connection: unknown) => void) => {
          tuneConnection(connection, synchronous)
          done(null, connection)
        },
      },
    },
    hasOneWriter: true,
    electionText: null,
    // A transaction that begins as a reader cannot become a writer once another one wrote.
    begin: () => ['BEGIN IMMEDIATE'],
    open: connection => new SqliteSession(connection as BetterSqlite3.Database),
    openReader: () => {
      // A second connection would open a second, empty database.
      if (filename === ':memory:') return null
      const connection = new BetterSqlite3(filename)
      tuneConnection(connection, synchronous)
      reader = new SqliteSession(connection)
      return reader
    },
    version: reader => versionOf(reader as SqliteSession),
    // Any commit of another connection counts: telling entries apart would cost as much as looking at them.
    fingerprint: async session => String((await session.all('PRAGMA data_version', []))[0]![0]),
    close: () => void reader?.connection.close(),
  }
}

function versionOf(session: SqliteSession): number {
  return session.all('PRAGMA data_version', [])[0]![0] as number
}
