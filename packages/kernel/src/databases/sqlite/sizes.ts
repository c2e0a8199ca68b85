// How large tables are: statements that visit each row of small tables once take no time worth a look at the clock.

import type BetterSqlite3 from 'better-sqlite3'

/** Most rows of all such tables of one statement: SQLite visits as many in some milliseconds. */
const most = 30_000

/** Milliseconds after which tables are measured again. */
const validity = 5000

/** The sizes of tables, as far as statements asked for them. */
export class TableSizes {
  readonly #connection: BetterSqlite3.Database
  readonly #rows = new Map<string, number>()
  /** By the list of tables, which a prepared statement keeps. */
  readonly #small = new Map<readonly string[], boolean>()
  #since = 0

  constructor(connection: BetterSqlite3.Database) {
    this.#connection = connection
  }

  /** Have these tables few rows together? `now` in the time of performance.now(). */
  areSmall(tables: readonly string[], now: number): boolean {
    if (now - this.#since > validity) {
      this.#rows.clear()
      this.#small.clear()
      this.#since = now
    }
    const known = this.#small.get(tables)
    if (known !== undefined) return known
    const areSmall = tables.reduce((sum, table) => sum + this.#rowsOf(table), 0) <= most
    this.#small.set(tables, areSmall)
    return areSmall
  }

  /** At most: ids of rows that are gone count, too. */
  #rowsOf(table: string): number {
    const known = this.#rows.get(table)
    if (known !== undefined) return known
    const last = this.#connection.prepare(`SELECT MAX("id") FROM "${table}"`).pluck().get()
    const rows = Number(last ?? 0)
    this.#rows.set(table, rows)
    return rows
  }
}
