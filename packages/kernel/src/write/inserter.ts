// The row of a new entry: what must be known first and the INSERT, in one statement where the database can.

import { CollisionError } from '../database/retry.ts'
import type { Transaction } from '../database/session.ts'
import { type Checks, guardUnique } from './checks.ts'
import type { Input } from './parse.ts'
import type { ReferenceCheck } from './reference-check.ts'
import type { RowWriter } from './rows.ts'

/** A new row. */
export interface Inserted {
  readonly id: number
  /** The columns that were wanted back. */
  readonly row: unknown[] | null
}

/** Inserts the rows of new entries. */
export class Inserter {
  readonly #rows: RowWriter
  readonly #checks: Checks
  /** Can an INSERT test what it links to? */
  readonly #guards: boolean

  constructor(rows: RowWriter, checks: Checks, guards: boolean) {
    this.#rows = rows
    this.#checks = checks
    this.#guards = guards
  }

  /** `columns`: what to give back; null for nothing but the id. Throws ValidationError where something is wrong. */
  async insert(tx: Transaction, input: Input, references: ReferenceCheck, columns: string | null): Promise<Inserted> {
    // Such an INSERT keeps the table's counter of ids to itself until it is done, and where it waits for another writer of the
    // same unique value, all would wait with it.
    if (columns !== null && this.#guards && input.uniques.length === 0 && references.isCondition)
      return this.#insertGuarded(tx, input, references, columns)
    await this.#checks.run(tx, input, references)
    return guardUnique(input, async () => {
      if (columns === null) return { id: await this.#rows.insert(tx, input.entry), row: null }
      const row = await this.#rows.insertReturning(tx, input.entry, columns)
      return { id: Number(row[0]), row }
    })
  }

  /** An INSERT that makes no row, and takes no id, where linked entries are missing: which, is asked then. */
  async #insertGuarded(tx: Transaction, input: Input, references: ReferenceCheck, columns: string): Promise<Inserted> {
    await this.#checks.runBeforeGuarded(tx, input, references)
    const row = await guardUnique(input, () => this.#rows.insertIf(tx, input.entry, columns, references))
    if (row !== null) return { id: Number(row[0]), row }
    await this.#checks.runAfterGuarded(tx, input, references)
    throw new CollisionError('linked entries were made meanwhile')
  }
}
