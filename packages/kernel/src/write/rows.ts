// Single rows: insert, update, look up. Texts are stable per type and set of columns, so that connections prepare them once.

import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import type { Transaction } from '../database/session.ts'
import type { Bound, Dialect } from '../sql/dialect.ts'
import type { Ahead } from './ahead.ts'
import type { InputEntry, UniqueCheck } from './parse.ts'

/** The texts of a type's INSERT: unfinished, telling the id, and giving the row back by the columns wanted. */
interface Insert {
  readonly text: string
  readonly plain: string
  /** `INSERT … SELECT ?, ?`, which takes a condition. */
  readonly selected: string
  readonly returning: Map<string, string>
  /** By columns wanted and what is asked ahead. */
  readonly guarded: Map<string, Map<string, string>>
  readonly attributes: readonly ScalarAttribute[]
}

/** The text of an UPDATE, found by the attributes it sets, one after the other. */
interface Update {
  readonly next: Map<ScalarAttribute, Update>
  /** As it is, and giving the row back by the columns wanted. */
  plain: string | null
  readonly returning: Map<string, string>
}

/** Most bytes of texts that are kept, about: callers choose which attributes they send and which fields they want back. */
const mostBytes = 16 * 1024 * 1024
/** What a text holds beside its characters: a map for what is sent, and its place in one. */
const perText = 1000

/** Writes rows of types and components. */
export class RowWriter {
  readonly #dialect: Dialect
  readonly #inserts = new Map<ContentType, Insert>()
  readonly #updates = new Map<ContentType, Update>()
  #bytes = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Inserts a row with all columns; what was not sent is null. Returns its id. */
  async insert(tx: Transaction, entry: InputEntry): Promise<number> {
    const { plain, attributes } = this.#insertOf(entry.type)
    return (await tx.run(plain, this.#valuesOf(entry, attributes))).id
  }

  /** Inserts a row and gives it back as `columns` say. */
  async insertReturning(tx: Transaction, entry: InputEntry, columns: string): Promise<unknown[]> {
    const { text, attributes, returning } = this.#insertOf(entry.type)
    const known = returning.get(columns)
    const made = known ?? this.#dialect.finish(`${text} RETURNING ${columns}`)
    if (known === undefined) this.#keep(returning, columns, made)
    return (await tx.all(made, this.#valuesOf(entry, attributes)))[0]!
  }

  /** The same under a condition; what is given back ends in what else was asked. Null where the condition does not hold. */
  async insertGuarded(tx: Transaction, entry: InputEntry, columns: string, ahead: Ahead): Promise<unknown[] | null> {
    const { selected, attributes, guarded } = this.#insertOf(entry.type)
    const texts = guarded.get(columns) ?? new Map<string, string>()
    guarded.set(columns, texts)
    const { key } = ahead
    const known = texts.get(key)
    const text = known ?? guardedText(selected, columns, ahead)
    if (known === undefined) this.#keep(texts, key, text)
    const [row = null] = await tx.all(text, [...this.#valuesOf(entry, attributes), ...ahead.guardValues])
    return row
  }

  #valuesOf(entry: InputEntry, attributes: readonly ScalarAttribute[]): Bound[] {
    return attributes.map(attribute => this.#encode(attribute, entry.scalars.get(attribute)))
  }

  /** Updates the sent columns. Returns false where there is no such row. */
  async update(tx: Transaction, entry: InputEntry, id: number): Promise<boolean> {
    if (entry.scalars.size === 0) return true
    const update = this.#updateOf(entry)
    if (update.plain === null) {
      update.plain = this.#dialect.finish(this.#updateText(entry))
      this.#count(update.plain.length)
    }
    return (await tx.run(update.plain, this.#sentOf(entry, id))).changes > 0
  }

  /** Updates and gives the row back as `columns` say; null where there is none. */
  async updateReturning(tx: Transaction, entry: InputEntry, id: number, columns: string): Promise<unknown[] | null> {
    const { returning } = this.#updateOf(entry)
    const known = returning.get(columns)
    const text = known ?? this.#dialect.finish(`${this.#updateText(entry)} RETURNING ${columns}`)
    if (known === undefined) this.#keep(returning, columns, text)
    const [row = null] = await tx.all(text, this.#sentOf(entry, id))
    return row
  }

  #updateOf({ type, scalars }: InputEntry): Update {
    let update = this.#updates.get(type) ?? this.#branch(this.#updates, type)
    for (const attribute of scalars.keys()) update = update.next.get(attribute) ?? this.#branch(update.next, attribute)
    return update
  }

  #branch<Key>(updates: Map<Key, Update>, key: Key): Update {
    this.#count(0)
    const made: Update = { next: new Map(), plain: null, returning: new Map() }
    updates.set(key, made)
    return made
  }

  #keep(texts: Map<string, string>, key: string, text: string): void {
    this.#count(key.length + text.length)
    texts.set(key, text)
  }

  #count(characters: number): void {
    this.#bytes += perText + 2 * characters
    if (this.#bytes <= mostBytes) return
    this.#inserts.clear()
    this.#updates.clear()
    this.#bytes = 0
  }

  #updateText({ type, scalars }: InputEntry): string {
    const q = (name: string) => this.#dialect.quote(name)
    const set = [...scalars.keys()].map(attribute => `${q(attribute.column)} = ?`).join(', ')
    return `UPDATE ${q(type.table)} SET ${set} WHERE ${q('id')} = ?`
  }

  #sentOf({ scalars }: InputEntry, id: number): Bound[] {
    const values: Bound[] = []
    for (const [attribute, value] of scalars) values.push(this.#encode(attribute, value))
    values.push(id)
    return values
  }

  /** Has the type any entry? */
  async isFilled(tx: Transaction, type: ContentType): Promise<boolean> {
    return (await tx.all(`SELECT 1 FROM ${this.#dialect.quote(type.table)} LIMIT 1`, [])).length > 0
  }

  /** Has another row these values? `id` is the row that may. */
  async isTaken(tx: Transaction, { type, values }: UniqueCheck, id: number | null): Promise<boolean> {
    const q = (name: string) => this.#dialect.quote(name)
    const stored = (column: string) => `(SELECT ${q(column)} FROM ${q(type.table)} WHERE ${q('id')} = ?)`
    const tests: string[] = []
    const bound: Bound[] = []
    for (const [attribute, value] of values) {
      tests.push(`${q(attribute.column)} = ${value === undefined ? stored(attribute.column) : '?'}`)
      bound.push(value === undefined ? id : this.#encode(attribute, value))
    }
    const text = `SELECT 1 FROM ${q(type.table)} WHERE ${tests.join(' AND ')} AND ${q('id')} <> ? LIMIT 1`
    // Ids begin at 1: nothing is excluded where the row is new.
    return (await tx.all(this.#dialect.finish(text), [...bound, id ?? 0])).length > 0
  }

  async remove(tx: Transaction, type: ContentType, ids: readonly number[]): Promise<void> {
    const text = `DELETE FROM ${this.#dialect.quote(type.table)} WHERE ${this.#dialect.within(this.#dialect.quote('id'))}`
    await tx.run(this.#dialect.finish(text), [this.#dialect.list(ids)])
  }

  #insertOf(type: ContentType) {
    const known = this.#inserts.get(type)
    if (known !== undefined) return known
    const q = (name: string) => this.#dialect.quote(name)
    const attributes = [...type.attributes.values()].filter(one => one.kind === 'scalar')
    const columns = attributes.map(one => q(one.column)).join(', ')
    const places = attributes.map(() => '?').join(', ')
    const table = q(type.table)
    const insert =
      attributes.length === 0
        ? `INSERT INTO ${table} ${this.#dialect.emptyRow}`
        : `INSERT INTO ${table} (${columns}) VALUES (${places})`
    const plain = this.#dialect.finish(this.#dialect.insertion(insert))
    const selected = `INSERT INTO ${table} (${columns}) SELECT ${places}`
    const made: Insert = { text: insert, plain, selected, returning: new Map(), guarded: new Map(), attributes }
    this.#inserts.set(type, made)
    return made
  }

  #encode(attribute: ScalarAttribute, value: unknown): Bound {
    if (value === null || value === undefined) return null
    return this.#dialect.codecs[attribute.scalar.storage].encode(value as never)
  }
}

function guardedText(selected: string, columns: string, { guard }: Ahead): string {
  return `${selected} FROM DUAL WHERE ${guard.condition} RETURNING ${columns}${guard.besides}`
}
