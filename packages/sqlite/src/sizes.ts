// Measures tables: a statement that visits each row of small tables once is too short to check the clock.

import type BetterSqlite3 from 'better-sqlite3'

/** The maximum number of rows of all tables of such a statement together: SQLite visits them in a few milliseconds. */
const maxRows = 30_000

/** Milliseconds after which tables are measured again. */
const validity = 5000

/** The sizes of the tables that statements needed so far. */
export class TableSizes {
  readonly #connection: BetterSqlite3.Database
  readonly #rows = new Map<string, number>()
  /** By the list of tables, which is the same object for one prepared statement. */
  readonly #small = new Map<readonly string[], boolean>()
  #since = 0

  constructor(connection: BetterSqlite3.Database) {
    this.#connection = connection
  }

  /** Returns whether these tables have few rows together. `now` is a time of performance.now(). */
  areSmall(tables: readonly string[], now: number): boolean {
    if (now - this.#since > validity) {
      this.#rows.clear()
      this.#small.clear()
      this.#since = now
    }
    const measured = this.#small.get(tables)
    if (measured !== undefined) return measured
    const areSmall = tables.reduce((sum, table) => sum + this.#rowsOf(table), 0) <= maxRows
    this.#small.set(tables, areSmall)
    return areSmall
  }

  /** An upper bound: ids of deleted rows count too. */
  #rowsOf(table: string): number {
    const count = this.#rows.get(table)
    if (count !== undefined) return count
    const last = this.#connection.prepare(`SELECT MAX("id") FROM "${table}"`).pluck().get()
    const rows = Number(last ?? 0)
    this.#rows.set(table, rows)
    return rows
  }
}
