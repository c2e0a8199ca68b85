// The row of a new entry: what must be known first and the INSERT, in one statement where the database can.

import { CollisionError } from '../database/retry.ts'
import type { Transaction } from '../database/session.ts'
import type { Dialect } from '../sql/dialect.ts'
import { Ahead, type AheadTexts } from './ahead.ts'
import { type Checks, guardUnique } from './checks.ts'
import type { Places } from './links.ts'
import type { Input } from './parse.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import type { RowWriter } from './rows.ts'

/** A new row. */
export interface Inserted {
  readonly id: number
  /** The columns that were wanted back. */
  readonly row: unknown[] | null
  /** Where its links go. */
  readonly places: Places
}

/** Inserts the rows of new entries. */
export class Inserter {
  readonly #dialect: Dialect
  readonly #ahead: AheadTexts
  readonly #rows: RowWriter
  readonly #checks: Checks
  readonly #numbers: PlaceNumbers

  constructor(dialect: Dialect, ahead: AheadTexts, rows: RowWriter, checks: Checks, numbers: PlaceNumbers) {
    this.#dialect = dialect
    this.#ahead = ahead
    this.#rows = rows
    this.#checks = checks
    this.#numbers = numbers
  }

  /** `columns`: what to give back; null for nothing but the id. Throws ValidationError where something is wrong. */
  async insert(tx: Transaction, input: Input, columns: string | null): Promise<Inserted> {
    const ahead = new Ahead(this.#ahead, input)
    if (this.#dialect.rowLocks !== null) ahead.register(tx, this.#numbers)
    // Such an INSERT keeps the table's counter of ids to itself until it is done, and where it waits for another writer of the
    // same unique value, all would wait with it.
    const mayGuard = this.#dialect.guardsInserts && input.uniques.length === 0
    const isGuarded = columns !== null && mayGuard && ahead.isCondition
    await this.#checks.run(tx, input, ahead, isGuarded)
    return guardUnique(input, async () => {
      if (columns === null) return { id: await this.#rows.insert(tx, input.entry), row: null, places: ahead.places }
      const row = isGuarded
        ? await this.#insertGuarded(tx, input, columns, ahead)
        : await this.#rows.insertReturning(tx, input.entry, columns)
      return { id: Number(row[0]), row, places: ahead.places }
    })
  }

  /** An INSERT that makes no row, and takes no id, where linked entries are missing: which, is asked then. */
  async #insertGuarded(tx: Transaction, input: Input, columns: string, ahead: Ahead): Promise<unknown[]> {
    const row = await this.#rows.insertGuarded(tx, input.entry, columns, ahead)
    if (row === null) {
      await this.#checks.run(tx, input, ahead)
      throw new CollisionError('linked entries were made meanwhile')
    }
    ahead.answer(row.splice(row.length - ahead.givenBack))
    return row
  }
}
