// Fills one table by a prepared INSERT: rows are objects whose keys are columns.
import type { Database } from 'better-sqlite3'

export type Row = Readonly<Record<string, string | number | null>>

/** Keys that the table has no column for are left out, so that optional columns (`published_at`) need no second list. */
export function fillTable(database: Database, table: string, rows: readonly Row[]): void {
  const info = database.pragma(`table_info(${table})`) as { name: string }[]
  const existing = new Set(info.map(column => column.name))
  if (existing.size === 0) throw new Error(`no table ${table} to fill`)
  const columns = Object.keys(rows[0]!).filter(column => existing.has(column))
  const insert = database.prepare(
    `INSERT INTO ${table} (${columns.map(column => `"${column}"`)}) VALUES (${columns.map(() => '?')})`,
  )
  for (const row of rows) insert.run(columns.map(column => row[column]!))
}
