// The record of an import that has not ended, in a table of its own. It exists from before the first row until after the
// last, so that a database with a part of an archive does not look complete.

import type { Transaction } from '../database/session.ts'
import { isImportUnfinished, unfinishedTable as table } from '../migrate/unfinished-import.ts'
import type { Migrated } from '../migrate/index.ts'

/** What an import is doing: deleting what was there, or writing. */
export type Stage = 'emptying' | 'writing'

/** How far an import is. */
export interface ImportState {
  /** The hash of the archive. */
  readonly archive: string
  /** The parts of the archive that it takes, such as `content,files`. */
  readonly parts: string
  readonly stage: Stage
  /** So many files of the archive are done. */
  readonly file: number
  /** So many lines of the next file are done. */
  readonly line: number
}

/** The record of the import into one database. */
export class ImportRecord {
  readonly #kernel: Migrated

  constructor(kernel: Migrated) {
    this.#kernel = kernel
  }

  /** The state of an import that has not ended; null if there is none. */
  async read(): Promise<ImportState | null> {
    const { database } = this.#kernel
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
    const { database } = this.#kernel
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
    await this.#kernel.database.knex.schema.dropTable(table)
  }
}
