// Single rows: insert, update, delete, look up. Finds the statement and what is bound for it; knows no SQL.

import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import type { Transaction } from '../database/session.ts'
import type { Bound, Dialect } from '../sql/dialect.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { InputEntry, UniqueCheck } from './parse.ts'
import type { ReferenceCheck } from './reference-check.ts'

/** Writes rows of types and components. */
export class RowWriter {
  readonly #statements: WriteStatements
  readonly #codecs: Dialect['codecs']

  constructor(statements: WriteStatements) {
    this.#statements = statements
    this.#codecs = statements.dialect.codecs
  }

  /** Inserts a row with all columns; what was not sent is null. Returns its id. */
  async insert(tx: Transaction, entry: InputEntry): Promise<number> {
    const { insert, attributes } = this.#statements.rows(entry.type)
    return (await tx.run(insert, this.#valuesOf(entry, attributes))).id
  }

  /** Inserts a row and gives it back as `columns` say. */
  async insertReturning(tx: Transaction, entry: InputEntry, columns: string): Promise<unknown[]> {
    const rows = this.#statements.rows(entry.type)
    return (await tx.all(rows.insertReturning(columns), this.#valuesOf(entry, rows.attributes)))[0]!
  }

  /** The same, only if all linked entries exist; null where some do not. */
  async insertIf(
    tx: Transaction,
    entry: InputEntry,
    columns: string,
    references: ReferenceCheck,
  ): Promise<unknown[] | null> {
    const rows = this.#statements.rows(entry.type)
    const values = this.#valuesOf(entry, rows.attributes)
    references.bindCondition(values)
    const [row = null] = await tx.all(rows.insertIf(columns, references), values)
    if (row !== null) references.takePlaces(row)
    return row
  }

  #valuesOf(entry: InputEntry, attributes: readonly ScalarAttribute[]): Bound[] {
    return attributes.map(attribute => this.#encode(attribute, entry.scalars.get(attribute)))
  }

  /** Updates the sent columns. Returns false where there is no such row. */
  async update(tx: Transaction, { type, scalars }: InputEntry, id: number): Promise<boolean> {
    if (scalars.size === 0) return true
    const text = this.#statements.rows(type).update(scalars, null)
    return (await tx.run(text, this.#sentOf(scalars, id))).changes > 0
  }

  /** Updates and gives the row back as `columns` say; null where there is none. */
  async updateReturning(
    tx: Transaction,
    { type, scalars }: InputEntry,
    id: number,
    columns: string,
  ): Promise<unknown[] | null> {
    const text = this.#statements.rows(type).update(scalars, columns)
    const [row = null] = await tx.all(text, this.#sentOf(scalars, id))
    return row
  }

  #sentOf(scalars: InputEntry['scalars'], id: number): Bound[] {
    const values: Bound[] = []
    for (const [attribute, value] of scalars) values.push(this.#encode(attribute, value))
    values.push(id)
    return values
  }

  /** Has the type any entry? */
  async isFilled(tx: Transaction, type: ContentType): Promise<boolean> {
    return (await tx.all(this.#statements.rows(type).isFilled, [])).length > 0
  }

  /** Has another row these values? `id` is the row that may. */
  async isTaken(tx: Transaction, { type, values }: UniqueCheck, id: number | null): Promise<boolean> {
    const bound: Bound[] = []
    for (const [attribute, value] of values) bound.push(value === undefined ? id : this.#encode(attribute, value))
    // Ids begin at 1: nothing is excluded where the row is new.
    bound.push(id ?? 0)
    return (await tx.all(this.#statements.rows(type).isTaken(values), bound)).length > 0
  }

  async remove(tx: Transaction, type: ContentType, ids: readonly number[]): Promise<void> {
    await tx.run(this.#statements.rows(type).remove, [this.#statements.dialect.list(ids)])
  }

  #encode(attribute: ScalarAttribute, value: unknown): Bound {
    if (value === null || value === undefined) return null
    return this.#codecs[attribute.scalar.storage].encode(value as never)
  }
}
