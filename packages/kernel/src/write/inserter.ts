// Inserts the row of a new entry, with the checks that precede it. If the database can, one statement does both.

import { CollisionError } from '../database/retry.ts'
import type { Transaction } from '../database/session.ts'
import { type Checks, guardUnique } from './checks.ts'
import type { Input } from './parse.ts'
import type { ReferenceCheck } from './reference-check.ts'
import type { RowWriter } from './rows.ts'

/** The new row. */
export interface Inserted {
  readonly id: number
  /** The requested columns of the row; null if none were requested. */
  readonly row: unknown[] | null
}

/** Inserts the rows of new entries. */
export class Inserter {
  readonly #rows: RowWriter
  readonly #checks: Checks
  /** Whether an INSERT of the database can test the linked entries. */
  readonly #guards: boolean

  constructor(rows: RowWriter, checks: Checks, guards: boolean) {
    this.#rows = rows
    this.#checks = checks
    this.#guards = guards
  }

  /** `columns` are the columns to return; null returns only the id. Throws ValidationError with all faults. */
  async insert(tx: Transaction, input: Input, references: ReferenceCheck, columns: string | null): Promise<Inserted> {
    // Such an INSERT locks the counter of ids of the table until it ends. If it waited for another write of the same
    // unique value, all other inserts would wait too.
    if (columns !== null && this.#guards && input.uniques.length === 0 && references.isCondition)
      return this.#insertGuarded(tx, input, references, columns)
    await this.#checks.run(tx, input, references)
    return guardUnique(input, async () => {
      if (columns === null) return { id: await this.#rows.insert(tx, input.entry), row: null }
      const row = await this.#rows.insertReturning(tx, input.entry, columns)
      return { id: Number(row[0]), row }
    })
  }

  /** Runs an INSERT that makes no row if linked entries are missing; only then they are counted for the error. */
  async #insertGuarded(tx: Transaction, input: Input, references: ReferenceCheck, columns: string): Promise<Inserted> {
    await this.#checks.runBeforeGuarded(tx, input, references)
    const row = await guardUnique(input, () => this.#rows.insertIf(tx, input.entry, columns, references))
    if (row !== null) return { id: Number(row[0]), row }
    await this.#checks.runAfterGuarded(tx, input, references)
    throw new CollisionError('Another transaction created the linked entries meanwhile')
  }
}
