// Writes rows into tables as they are: no hook and no lifecycle runs, and nothing is checked but what the database checks.

import type { Transaction } from '../database/session.ts'
import type { Migrated } from '../migrate/index.ts'
import type { BoundOne } from '../sql/dialect.ts'
import { places } from '../sql/insert.ts'
import { batchesOf } from '../database/batches.ts'
import type { TransferColumn, TransferTable } from './tables.ts'
import { fromArchive, UnfitValue } from './values.ts'
import { type Dangling, danglingIn } from './dangling.ts'
import type { TransferRow } from './read.ts'

const mostRows = 256
/** SQLite takes 32,766 values in a statement. */
const mostValues = 30_000

/** Writes the rows of a transfer. */
export class TransferWriter {
  readonly #kernel: Migrated

  constructor(kernel: Migrated) {
    this.#kernel = kernel
  }

  /** What is wrong with the values of a row, each fault with the name of its column. */
  faults(table: TransferTable, row: TransferRow): string[] {
    return table.columns.flatMap(({ name, kind }) => {
      try {
        fromArchive(this.#kernel.database.dialect, kind, row[name])
        return []
      } catch (error) {
        if (!(error instanceof UnfitValue)) throw error
        return [`${name} ${error.message}`]
      }
    })
  }

  /** Inserts rows, with null in columns that are missing or that `isLate`. */
  async insert(tx: Transaction, table: TransferTable, rows: readonly TransferRow[]): Promise<void> {
    const { dialect } = this.#kernel.database
    const columns = table.columns.filter(one => !one.isLate)
    const into = `INSERT INTO ${dialect.quote(table.table)} (${columns.map(one => dialect.quote(one.column)).join(', ')})`
    for (const batch of batchesOf(rows, Math.min(mostRows, Math.floor(mostValues / columns.length)))) {
      const lines = Array(batch.length)
        .fill(`(${places(columns.length)})`)
        .join(', ')
      const values = batch.flatMap(row => this.#valuesOf(columns, row))
      await tx.run(dialect.finish(`${into} VALUES ${lines}`), values)
    }
  }

  /** Sets the columns of a row that `isLate`, as far as `row` has them. */
  async set(tx: Transaction, table: TransferTable, id: number, row: TransferRow): Promise<void> {
    const { dialect } = this.#kernel.database
    const columns = table.columns.filter(one => one.isLate && one.name in row)
    if (columns.length === 0) return
    const assignments = columns.map(one => `${dialect.quote(one.column)} = ?`).join(', ')
    const text = `UPDATE ${dialect.quote(table.table)} SET ${assignments} WHERE ${dialect.quote('id')} = ?`
    await tx.run(dialect.finish(text), [...this.#valuesOf(columns, row), id])
  }

  #valuesOf(columns: readonly TransferColumn[], row: TransferRow): BoundOne[] {
    return columns.map(({ name, kind }) => fromArchive(this.#kernel.database.dialect, kind, row[name]))
  }

  /** The references of rows to rows that the database does not have. */
  dangling(tx: Transaction, table: TransferTable, rows: readonly TransferRow[]): Promise<Dangling[]> {
    const { contentTypes, database } = this.#kernel
    return danglingIn({ dialect: database.dialect, contentTypes, session: tx }, table, rows)
  }

  /** Deletes all rows of a table. */
  async empty(tx: Transaction, table: TransferTable): Promise<void> {
    await tx.run(`DELETE FROM ${this.#kernel.database.dialect.quote(table.table)}`, [])
  }

  /** Makes the ids that a table gives to new rows continue behind the highest. */
  async continueIds(tx: Transaction, table: TransferTable): Promise<void> {
    const text = this.#kernel.database.ddl.continueIds(table.table)
    if (text !== null) await tx.all(text, [])
  }
}
