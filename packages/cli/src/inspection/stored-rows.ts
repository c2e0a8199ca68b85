// Reads rows of tables that no content type has. Changes nothing, and does not know the model.

import type { StoredTables } from '@plinth/kernel'
import { inspectColumns, readOnly, resolveDatabase } from '@plinth/kernel/tables'

/** The maximum number of rows that are read of one table. */
const maxRows = 1000

/** The tables of a database. */
export interface StoredRows extends StoredTables {
  /** Returns the values of a column, as the driver reads them, each with the number of its rows; none without the column. */
  countBy(table: string, column: string): Promise<readonly (readonly [value: unknown, rows: number])[]>
}

/**
 * Passes the tables of the database to `work`. `settings` is config/database of the project in `dir`. Throws if the database
 * does not open.
 */
export async function readStoredRows<T>(
  settings: unknown,
  dir: string,
  work: (rows: StoredRows) => Promise<T>,
): Promise<T> {
  return readOnly(await resolveDatabase(settings, dir), async (ddl, session, dialect) => {
    const present = await inspectColumns(ddl.catalogue, session)
    const tables = new Map([...present].map(([table, columns]) => [table, [...columns.keys()]]))
    const quoted = (name: string) => dialect.quote(name)
    return work({
      tables,
      async count(table) {
        if (!tables.has(table)) return null
        const [row] = await session.all(`SELECT COUNT(*) FROM ${quoted(table)}`, [])
        return Number(row?.[0] ?? 0)
      },
      async rows(table, columns) {
        const present = tables.get(table) ?? []
        if (!columns.every(name => present.includes(name))) return []
        const text = `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table)} LIMIT ${maxRows}`
        return session.all(text, [])
      },
      async countBy(table, column) {
        if (!tables.get(table)?.includes(column)) return []
        const name = quoted(column)
        const rows = await session.all(
          `SELECT ${name}, COUNT(*) FROM ${quoted(table)} GROUP BY ${name} ORDER BY ${name}`,
          [],
        )
        return rows.map(([value, count]) => [value, Number(count)] as const)
      },
    })
  })
}
