// Reads whole tables in pages, as the database is at one moment. Knows no file format.

import type { Kernel, Session } from '@plinth/kernel'
import { type Dialect, databaseOf } from '@plinth/kernel/tables'
import { type DanglingReference, danglingIn } from './dangling.ts'
import { type TransferRow, type TransferTable, transferTables } from './tables.ts'
import { toArchive } from './values.ts'

/** Reads the tables of a database. */
export interface TransferReader {
  readonly tables: readonly TransferTable[]
  /** Returns the number of rows. */
  count(table: TransferTable): Promise<number>
  /** Reads all rows in the order of their ids, in pages of at most about four megabytes. */
  pages(table: TransferTable): AsyncGenerator<readonly TransferRow[]>
  /** Finds the references of rows of a table to rows that the database does not have. */
  dangling(table: TransferTable, rows: readonly TransferRow[]): Promise<DanglingReference[]>
}

/** Returns the file or the address of the database, to tell it from others; without user and password. */
export function placeOf(kernel: Kernel): string {
  return databaseOf(kernel).place
}

/**
 * Passes `work` a reader for which the database does not change, whatever others write. On SQLite, this process cannot
 * write meanwhile.
 */
export function readTables<T>(kernel: Kernel, work: (reader: TransferReader) => Promise<T>): Promise<T> {
  const { contentTypes } = kernel
  const database = databaseOf(kernel)
  const tables = transferTables(contentTypes)
  return database.readSnapshot(session =>
    work({
      tables,
      async count({ table }) {
        const [row] = await session.all(`SELECT COUNT(*) FROM ${database.dialect.quote(table)}`, [])
        return Number(row![0])
      },
      pages: table => pagesOf(database.dialect, session, table),
      dangling: (table, rows) => danglingIn({ dialect: database.dialect, contentTypes, session }, table, rows),
    }),
  )
}

/** The maximum number of rows in a page. */
const maxRows = 2000
/** The wanted size of a page, in bytes of JSON. */
const pageSize = 4_000_000

async function* pagesOf(
  dialect: Dialect,
  session: Session,
  table: TransferTable,
): AsyncGenerator<readonly TransferRow[]> {
  const id = dialect.quote('id')
  const selected = table.columns.map(({ column, kind }) => {
    const quoted = dialect.quote(column)
    return dialect.codecs[kind as 'text']?.select?.(quoted) ?? quoted
  })
  const from = `SELECT ${[id, ...selected].join(', ')} FROM ${dialect.quote(table.table)}`
  let last = 0
  let limit = 100
  for (;;) {
    // The limit is part of the text: it takes few values, and a bound one would have a placeholder of its own per database.
    const text = dialect.finish(`${from} WHERE ${id} > ? ORDER BY ${id} LIMIT ${limit}`)
    const rows = await session.all(text, [last])
    if (rows.length === 0) return
    const page = rows.map(row => rowOf(dialect, table, row))
    yield page
    if (rows.length < limit) return
    last = Number(rows.at(-1)![0])
    limit = nextLimit(page)
  }
}

function rowOf(dialect: Dialect, { columns }: TransferTable, [, ...values]: unknown[]): TransferRow {
  const row: Record<string, unknown> = {}
  for (const [i, { name, kind }] of columns.entries()) row[name] = toArchive(dialect, kind, values[i])
  return row
}

/** Returns the limit of the next page: a power of two, so that few texts of statements are prepared. */
function nextLimit(page: readonly TransferRow[]): number {
  const bytes = page.reduce((sum, row) => sum + JSON.stringify(row).length, 0)
  const rowCount = Math.min(maxRows, Math.max(1, (pageSize * page.length) / bytes))
  return 2 ** Math.floor(Math.log2(rowCount))
}
