// The record of an import that has not ended, in a table of its own. It exists from before the first row until after the
// last, so that a database with a part of an archive does not look complete.

import type { Kernel, Transaction } from '@plinth/kernel'
import { isImportUnfinished, unfinishedTable as table } from '@plinth/kernel/migrate'
import { databaseOf, type OpenDatabase } from '@plinth/kernel/tables'

/** The stages of an import: deleting the former rows, and writing. */
export type Stage = 'emptying' | 'writing'

/** The progress of an import. */
export interface ImportState {
  /** The hash of the archive. */
  readonly archive: string
  /** The parts of the archive that it takes, such as `content,files`. */
  readonly parts: string
  readonly stage: Stage
  /** The number of files of the archive that are done. */
  readonly file: number
  /** The number of lines of the next file that are done. */
  readonly line: number
}

/** The record of the import into one database. */
export class ImportRecord {
  readonly #database: OpenDatabase

  constructor(kernel: Kernel) {
    this.#database = databaseOf(kernel)
  }

  /** Reads the state of an import that has not ended; null if there is none. */
  async read(): Promise<ImportState | null> {
    const database = this.#database
    if (!(await isImportUnfinished(database))) return null
    const row = (await database.knex(table).first()) as Record<string, unknown> | undefined
    // A process was killed after it made the table, and has written nothing.
    if (row === undefined) return null
    const { archive, parts, stage, file, line } = row
    return {
      archive: String(archive),
      parts: String(parts),
      stage: stage as Stage,
      file: Number(file),
      line: Number(line),
    }
  }

  /** Begins an import, or begins it again. */
  async begin(state: ImportState): Promise<void> {
    const database = this.#database
    if (!(await isImportUnfinished(database)))
      await database.knex.schema.createTable(table, columns => {
        columns.string('archive', 64).notNullable()
        columns.string('parts', 64).notNullable()
        columns.string('stage', 16).notNullable()
        columns.bigInteger('file').notNullable()
        columns.bigInteger('line').notNullable()
      })
    await database.transaction(async tx => {
      await tx.knex(table).del()
      await tx.knex(table).insert(state)
    })
  }

  /**
   * Notes in the transaction of the rows how far the import is. Returns false if another process has moved it, whose rows
   * these are.
   */
  async advance(tx: Transaction, from: ImportState, to: ImportState): Promise<boolean> {
    const { archive, stage, file, line } = from
    const changed = await tx
      .knex(table)
      .where({ archive, stage, file, line })
      .update({ ...to })
    return changed === 1
  }

  /** Ends the import: the database is complete. */
  async end(): Promise<void> {
    await this.#database.knex.schema.dropTable(table)
  }
}
