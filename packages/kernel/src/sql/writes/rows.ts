// Compiles the statements on the rows of one type: insert, update, delete, and the checks before a change. Independent
// of values and of the order in which statements run.

import type { ContentType, ScalarAttribute } from '../../model/content-type.ts'
import type { Dialect } from '../dialect.ts'
import { places } from '../insert.ts'
import type { StatementCache } from '../statement-cache.ts'
import type { LinkStatements } from './links.ts'

/** The additional checks and reads of an INSERT: that linked ids exist, and the last places. */
export interface InsertCheck {
  /** Expressions of countOf(); the expected count is bound after each. */
  readonly counts: readonly { readonly text: string }[]
  /** The link tables and targets whose last places are read. */
  readonly lastPlaces: readonly { readonly links: LinkStatements; readonly targets: readonly unknown[] }[]
}

/** The columns that a statement selects of the rows that have values, and its test of their ids. */
interface Lookup {
  readonly select: string
  readonly test: string
}

/** A type and its columns. */
interface StoredType {
  readonly type: ContentType
  /** Attributes that the type has no longer, while their columns are there. */
  readonly retired: readonly ScalarAttribute[]
}

/** Statements of a content type or component. */
export class RowStatements {
  /** The attributes whose values an INSERT binds, in order: those of all columns. */
  readonly attributes: readonly ScalarAttribute[]
  /** Inserts a row and returns its id. */
  readonly insert: string
  /** Checks whether an entry with an id exists. */
  readonly exists: string
  /** Checks whether any entry exists. */
  readonly isFilled: string
  /** Deletes rows by a list of ids. */
  readonly remove: string
  readonly #dialect: Dialect
  readonly #cache: StatementCache
  readonly #type: ContentType
  readonly #columns: readonly string[]
  /** Expressions by number of ids; the first one counts the ids of a list. */
  readonly #counts: string[] = []
  readonly #others: Lookup
  readonly #among: Lookup
  readonly #empty = {}

  constructor(dialect: Dialect, cache: StatementCache, { type, retired }: StoredType) {
    this.#dialect = dialect
    this.#cache = cache
    this.#type = type
    this.attributes = [...[...type.attributes.values()].filter(one => one.kind === 'scalar'), ...retired]
    this.#columns = this.attributes.map(one => one.column)
    const table = dialect.quote(type.table)
    const id = dialect.quote('id')
    this.insert = dialect.finish(dialect.insertRow(type.table, this.#columns, null))
    this.exists = dialect.finish(`SELECT 1 FROM ${table} WHERE ${id} = ?`)
    this.isFilled = `SELECT 1 FROM ${table} LIMIT 1`
    this.#others = { select: '1', test: `${id} <> ? LIMIT 1` }
    this.#among = { select: id, test: dialect.within(id) }
    this.remove = dialect.finish(`DELETE FROM ${table} WHERE ${dialect.within(id)}`)
  }

  /** Inserts a row and returns `columns` of it. */
  insertReturning(columns: string): string {
    const place = this.#cache.next(this.#cache.at(this), columns)
    if (place.text !== null) return place.text
    return this.#cache.keep(
      place,
      this.#dialect.finish(this.#dialect.insertRow(this.#type.table, this.#columns, columns)),
    )
  }

  /** The same, only if linked entries exist, which needs insertRowIf; also returns the last places. */
  insertIf(columns: string, { counts, lastPlaces }: InsertCheck): string {
    let place = this.#cache.next(this.#cache.at(this), columns)
    for (const { text } of counts) place = this.#cache.next(place, text)
    for (const { links, targets } of lastPlaces)
      place = this.#cache.next(this.#cache.next(place, links), targets.length)
    if (place.text !== null) return place.text
    const { table } = this.#type
    const condition = counts.map(one => `${one.text} = ?`).join(' AND ')
    const last = lastPlaces.flatMap(({ links, targets }) => targets.map(() => `, ${links.lastPlace}`))
    const returning = `${columns}${last.join('')}`
    const text =
      counts.length === 0
        ? this.#dialect.insertRow(table, this.#columns, returning)
        : this.#dialect.insertRowIf!(table, this.#columns, { condition, returning })
    return this.#cache.keep(place, this.#dialect.finish(text))
  }

  /** Updates a row by its id, which is bound last. Returns `columns` of it unless they are null. */
  update(attributes: ReadonlyMap<ScalarAttribute, unknown>, columns: string | null): string {
    let place = this.#cache.at(this.#type)
    for (const attribute of attributes.keys()) place = this.#cache.next(place, attribute)
    if (columns !== null) place = this.#cache.next(place, columns)
    if (place.text !== null) return place.text
    const q = (name: string) => this.#dialect.quote(name)
    const set = [...attributes.keys()].map(attribute => `${q(attribute.column)} = ?`).join(', ')
    const update = `UPDATE ${q(this.#type.table)} SET ${set} WHERE ${q('id')} = ?`
    return this.#cache.keep(place, this.#dialect.finish(columns === null ? update : `${update} RETURNING ${columns}`))
  }

  /**
   * Checks whether another row has these values. For each undefined value an id is bound, which stands for the stored
   * value of that row; the last bound id is that of the row that may have all these values.
   */
  isTaken(values: ReadonlyMap<ScalarAttribute, unknown>): string {
    return this.#having(values, this.#others)
  }

  /** Selects the ids of the rows of a bound list that have these values, which are bound as in isTaken(). */
  holders(values: ReadonlyMap<ScalarAttribute, unknown>): string {
    return this.#having(values, this.#among)
  }

  #having(values: ReadonlyMap<ScalarAttribute, unknown>, lookup: Lookup): string {
    let place = this.#cache.at(lookup)
    for (const [attribute, value] of values) {
      place = this.#cache.next(place, attribute)
      if (value === undefined) place = this.#cache.next(place, 'stored')
    }
    if (place.text !== null) return place.text
    const q = (name: string) => this.#dialect.quote(name)
    const table = q(this.#type.table)
    const stored = (column: string) => `(SELECT ${q(column)} FROM ${table} WHERE ${q('id')} = ?)`
    const tests = [...values].map(
      ([{ column }, value]) => `${q(column)} = ${value === undefined ? stored(column) : this.#placeholder(column)}`,
    )
    const text = `SELECT ${lookup.select} FROM ${table} WHERE ${tests.join(' AND ')} AND ${lookup.test}`
    return this.#cache.keep(place, this.#dialect.finish(text))
  }

  #placeholder(column: string): string {
    return this.#dialect.narrowTests?.(this.#type.table, column)?.placeholder ?? '?'
  }

  /** Sets an attribute of the rows of a bound list to null. */
  empty(attribute: ScalarAttribute): string {
    const place = this.#cache.next(this.#cache.at(this.#empty), attribute)
    if (place.text !== null) return place.text
    const q = (name: string) => this.#dialect.quote(name)
    const text = `UPDATE ${q(this.#type.table)} SET ${q(attribute.column)} = NULL WHERE ${this.#dialect.within(q('id'))}`
    return this.#cache.keep(place, this.#dialect.finish(text))
  }

  /** An expression for how many of `count` ids exist; of the ids of a bound list if `count` is 0. */
  countOf(count: number): string {
    const cachedText = this.#counts[count]
    if (cachedText !== undefined) return cachedText
    const id = this.#dialect.quote('id')
    const test = count === 0 ? this.#dialect.within(id) : `${id} IN (${places(count)})`
    const text = `(SELECT COUNT(*) FROM ${this.#dialect.quote(this.#type.table)} WHERE ${test})`
    this.#counts[count] = text
    return text
  }
}
