// Which tables are so small that nothing which visits each of their rows once takes long: statements over them do without
// looks at the clock, which would cost as much as the rows themselves (sql/guard.ts).

import type BetterSqlite3 from 'better-sqlite3'

/** Most rows of a small table: SQLite visits as many in some milliseconds. */
const most = 20_000

/** Milliseconds after which tables are measured again. */
const validity = 5000

/** The sizes of tables, as far as statements asked for them. */
export class TableSizes {
  readonly #small = new Map<string, boolean>()
  readonly #wanted = new Set<string>()
  #since = 0

  /** Asked for by a running statement, which cannot be interrupted to measure: unknown tables are not small yet. */
  isSmall(table: string): boolean {
    const known = this.#small.get(table)
    if (known === undefined) this.#wanted.add(table)
    return known === true
  }

  /** Measures what was asked for. Called between statements, with the time of performance.now(). */
  update(connection: BetterSqlite3.Database, now: number): void {
    if (now - this.#since > validity) {
      this.#small.clear()
      this.#since = now
    }
    if (this.#wanted.size === 0) return
    for (const table of this.#wanted) {
      const last = connection
        .prepare(`SELECT MAX("id") FROM "${table.replaceAll('"', '""')}"`)
        .pluck()
        .get()
      this.#small.set(table, Number(last ?? 0) <= most)
    }
    this.#wanted.clear()
  }
}
