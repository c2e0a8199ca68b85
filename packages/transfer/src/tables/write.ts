// Writes rows into tables as they are: no hook and no lifecycle runs, and nothing is checked but what the database checks.

import type { Kernel, Registry, Transaction } from '@plinth/kernel'
import { type BoundOne, batchesOf, databaseOf, type OpenDatabase, places } from '@plinth/kernel/tables'
import { type DanglingReference, danglingIn } from './dangling.ts'
import type { TransferColumn, TransferRow, TransferTable } from './tables.ts'
import { fromArchive, UnfitValue } from './values.ts'

/** The maximum number of rows in a statement. */
const maxRows = 256
/** The maximum number of values in a statement: SQLite takes 32,766. */
const maxValues = 30_000

/** Writes the rows of a transfer. */
export class TransferWriter {
  readonly #database: OpenDatabase
  readonly #contentTypes: Registry

  constructor(kernel: Kernel) {
    this.#database = databaseOf(kernel)
    this.#contentTypes = kernel.contentTypes
  }

  /** Returns what is wrong with the values of a row, each fault with the name of its column. */
  faults(table: TransferTable, row: TransferRow): string[] {
    return table.columns.flatMap(({ name, kind }) => {
      try {
        fromArchive(this.#database.dialect, kind, row[name])
        return []
      } catch (error) {
        if (!(error instanceof UnfitValue)) throw error
        return [`${name} ${error.message}`]
      }
    })
  }

  /** Inserts rows, with null in columns that are missing or that `isLate`. */
  async insert(tx: Transaction, table: TransferTable, rows: readonly TransferRow[]): Promise<void> {
    const { dialect } = this.#database
    const columns = table.columns.filter(one => !one.isLate)
    const into = `INSERT INTO ${dialect.quote(table.table)} (${columns.map(one => dialect.quote(one.column)).join(', ')})`
    for (const batch of batchesOf(rows, Math.min(maxRows, Math.floor(maxValues / columns.length)))) {
      const lines = Array(batch.length)
        .fill(`(${places(columns.length)})`)
        .join(', ')
      const values = batch.flatMap(row => this.#valuesOf(columns, row))
      await tx.run(dialect.finish(`${into} VALUES ${lines}`), values)
    }
  }

  /** Sets the columns of a row that `isLate`, as far as `row` has them. */
  async set(tx: Transaction, table: TransferTable, id: number, row: TransferRow): Promise<void> {
    const { dialect } = this.#database
    const columns = table.columns.filter(one => one.isLate && one.name in row)
    if (columns.length === 0) return
    const assignments = columns.map(one => `${dialect.quote(one.column)} = ?`).join(', ')
    const text = `UPDATE ${dialect.quote(table.table)} SET ${assignments} WHERE ${dialect.quote('id')} = ?`
    await tx.run(dialect.finish(text), [...this.#valuesOf(columns, row), id])
  }

  #valuesOf(columns: readonly TransferColumn[], row: TransferRow): BoundOne[] {
    return columns.map(({ name, kind }) => fromArchive(this.#database.dialect, kind, row[name]))
  }

  /** Finds the references of rows to rows that the database does not have. */
  dangling(tx: Transaction, table: TransferTable, rows: readonly TransferRow[]): Promise<DanglingReference[]> {
    const lookup = { dialect: this.#database.dialect, contentTypes: this.#contentTypes, session: tx }
    return danglingIn(lookup, table, rows)
  }

  /** Deletes all rows of a table. */
  async empty(tx: Transaction, table: TransferTable): Promise<void> {
    await tx.run(`DELETE FROM ${this.#database.dialect.quote(table.table)}`, [])
  }

  /** Makes the ids that a table gives to new rows continue behind the highest. */
  async continueIds(tx: Transaction, table: TransferTable): Promise<void> {
    const text = this.#database.ddl.continueIds(table.table)
    if (text !== null) await tx.all(text, [])
  }
}
