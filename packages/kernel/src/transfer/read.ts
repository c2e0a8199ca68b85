// Reads whole tables in pages, as the database is at one moment. Knows no file format.

import type { Database } from '../database/database.ts'
import type { Session } from '../database/session.ts'
import type { Migrated } from '../migrate/index.ts'
import { type Dangling, danglingIn } from './dangling.ts'
import { type TransferTable, transferTables } from './tables.ts'
import { toArchive } from './values.ts'

/** A row by the names of its columns; rows of links have no id. */
export type TransferRow = Readonly<Record<string, unknown>>

/** Reads the tables of a database. */
export interface TransferReader {
  readonly tables: readonly TransferTable[]
  count(table: TransferTable): Promise<number>
  /** All rows in the order of their ids, in pages of at most about four megabytes. */
  pages(table: TransferTable): AsyncGenerator<readonly TransferRow[]>
  /** The references of rows of a table to rows that the database does not have. */
  dangling(table: TransferTable, rows: readonly TransferRow[]): Promise<Dangling[]>
}

/** The file or the address of the database, to tell it from others; without user and password. */
export function placeOf(kernel: Migrated): string {
  return kernel.database.place
}

/**
 * Passes `work` a reader for which the database does not change, whatever others write. On SQLite, this process cannot
 * write meanwhile.
 */
export function readTables<T>(kernel: Migrated, work: (reader: TransferReader) => Promise<T>): Promise<T> {
  const { database, contentTypes } = kernel
  const tables = transferTables(contentTypes)
  return database.readSnapshot(session =>
    work({
      tables,
      async count({ table }) {
        const [row] = await session.all(`SELECT COUNT(*) FROM ${database.dialect.quote(table)}`, [])
        return Number(row![0])
      },
      pages: table => pagesOf(database, session, table),
      dangling: (table, rows) => danglingIn({ dialect: database.dialect, contentTypes, session }, table, rows),
    }),
  )
}

const mostRows = 2000
/** So many bytes of JSON are wanted in a page. */
const pageSize = 4_000_000

async function* pagesOf(
  { dialect }: Database,
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
    const found = await session.all(text, [last])
    if (found.length > 0) {
      const page = found.map(row => rowOf(dialect, table, row))
      yield page
      last = Number(found.at(-1)![0])
      if (found.length === limit) limit = nextLimit(page)
      else return
    } else return
  }
}

function rowOf(dialect: Database['dialect'], { columns }: TransferTable, [, ...values]: unknown[]): TransferRow {
  const row: Record<string, unknown> = {}
  for (const [i, { name, kind }] of columns.entries()) row[name] = toArchive(dialect, kind, values[i])
  return row
}

/** A power of two, so that few texts of statements are prepared. */
function nextLimit(page: readonly TransferRow[]): number {
  const bytes = page.reduce((sum, row) => sum + JSON.stringify(row).length, 0)
  const wanted = Math.min(mostRows, Math.max(1, (pageSize * page.length) / bytes))
  return 2 ** Math.floor(Math.log2(wanted))
}
