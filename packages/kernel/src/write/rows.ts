// Inserts, updates, deletes and looks up single rows. Selects the statements and makes their bind values; knows no SQL.

import type { Change, Maybe, Rows, Transaction } from '../connection/session.ts'
import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import type { Bound, Dialect } from '../sql/dialect.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { InputEntry, UniqueCheck } from './parse.ts'
import type { ReferenceCheck } from './references.ts'

/** Writes rows of types and components. */
export class RowWriter {
  readonly #statements: WriteStatements
  readonly #codecs: Dialect['codecs']

  constructor(statements: WriteStatements) {
    this.#statements = statements
    this.#codecs = statements.dialect.codecs
  }

  /** Inserts a row with all columns; values that were not sent are null. Returns its id. */
  async insert(tx: Transaction, entry: InputEntry): Promise<number> {
    const { insert, attributes } = this.#statements.rows(entry.type)
    return (await tx.run(insert, this.#valuesOf(entry, attributes))).id
  }

  /** Inserts a row and returns `columns` of it. */
  async insertReturning(tx: Transaction, entry: InputEntry, columns: string): Promise<unknown[]> {
    const rows = this.#statements.rows(entry.type)
    return (await tx.all(rows.insertReturning(columns), this.#valuesOf(entry, rows.attributes)))[0]!
  }

  /** Inserts a row only if all linked entries exist, and returns `columns` of it; otherwise returns null. */
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

  /** Updates the sent columns. No row has changed if there is no such row; null if nothing was sent. */
  update(tx: Transaction, { type, scalars }: InputEntry, id: number): Maybe<Change> | null {
    if (scalars.size === 0) return null
    const text = this.#statements.rows(type).update(scalars, null)
    return tx.run(text, this.#sentOf(scalars, id))
  }

  /** Updates the sent columns and returns `columns` of the row; no row if there is none. */
  updateReturning(tx: Transaction, { type, scalars }: InputEntry, id: number, columns: string): Maybe<Rows> {
    const text = this.#statements.rows(type).update(scalars, columns)
    return tx.all(text, this.#sentOf(scalars, id))
  }

  #sentOf(scalars: InputEntry['scalars'], id: number): Bound[] {
    const values: Bound[] = []
    for (const [attribute, value] of scalars) values.push(this.#encode(attribute, value))
    values.push(id)
    return values
  }

  /** Returns whether the type has any entry. */
  async isFilled(tx: Transaction, type: ContentType): Promise<boolean> {
    return (await tx.all(this.#statements.rows(type).isFilled, [])).length > 0
  }

  /** Returns whether another row than that of the check has its values. */
  async isTaken(tx: Transaction, check: UniqueCheck): Promise<boolean> {
    // Ids begin at 1, so 0 excludes nothing if the row is new.
    const bound = [...this.#uniqueValues(check), check.id ?? 0]
    return (await tx.all(this.#statements.rows(check.type).isTaken(check.values), bound)).length > 0
  }

  /** Returns which of the rows `ids` have the values of the check. */
  async holders(tx: Transaction, check: UniqueCheck, ids: readonly number[]): Promise<readonly number[]> {
    if (ids.length === 0) return ids
    const bound = [...this.#uniqueValues(check), this.#statements.dialect.list(ids)]
    return (await tx.all(this.#statements.rows(check.type).holders(check.values), bound)).map(([id]) => Number(id))
  }

  #uniqueValues({ values, id }: UniqueCheck): Bound[] {
    return [...values].map(([attribute, value]) => (value === undefined ? id : this.#encode(attribute, value)))
  }

  /** Sets an attribute of the rows `ids` to null. */
  async empty(
    tx: Transaction,
    { type, attribute }: { readonly type: ContentType; readonly attribute: ScalarAttribute },
    ids: readonly number[],
  ): Promise<void> {
    await tx.enqueue(this.#statements.rows(type).empty(attribute), [this.#statements.dialect.list(ids)])
  }

  async remove(tx: Transaction, type: ContentType, ids: readonly number[]): Promise<void> {
    await tx.run(this.#statements.rows(type).remove, [this.#statements.dialect.list(ids)])
  }

  #encode(attribute: ScalarAttribute, value: unknown): Bound {
    if (value === null || value === undefined) return null
    return this.#codecs[attribute.scalar.storage].encode(value as never)
  }
}
