// Converts between the objects of Objection models and rows: values by the dialect's codecs, names by the columns of
// attributes.

import { isObject } from '../write/parse.ts'
import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import { parseDate, parseDatetime, parseTime } from '../model/values.ts'
import type { Dialect } from '../sql/dialect.ts'

type Json = Record<string, unknown>

/** Converts rows of one type in both directions. */
export class ModelRows {
  readonly #dialect: Dialect
  readonly #table: string
  readonly #byName = new Map<string, ScalarAttribute>()
  readonly #byColumn = new Map<string, ScalarAttribute>()

  constructor(dialect: Dialect, type: ContentType) {
    this.#dialect = dialect
    this.#table = type.table
    for (const one of type.attributes.values()) {
      if (one.kind !== 'scalar') continue
      this.#byName.set(one.name, one)
      this.#byColumn.set(one.column, one)
    }
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  /** Converts a row of the database to the form of the model. */
  decode(row: Json): Json {
    return mapEntries(row, (column, raw) => {
      const attribute = this.#byColumn.get(column)
      if (attribute === undefined) return [column, raw]
      if (raw === null || raw === undefined) return [attribute.name, raw]
      return [attribute.name, this.#dialect.codecs[attribute.scalar.storage].decode(rawOf(attribute, raw) as never)]
    })
  }

  /** Converts the model's object to a row. Throws ValidationError for invalid dates. */
  encode(json: Json): Json {
    return mapEntries(json, (name, value) => [this.column(name), this.value(name, value)])
  }

  /** The column of an attribute, also with the type's own table as prefix; other names are returned unchanged. */
  column(name: string): string {
    const [, named, alias] = /^(.+)( as .+)$/i.exec(name) ?? []
    if (named !== undefined) return this.column(named) + alias
    const own = `${this.#table}.`
    if (name.startsWith(own)) return own + this.column(name.slice(own.length))
    return this.#byName.get(name)?.column ?? name
  }

  /** Converts a value of an attribute for its column; values of other names are returned unchanged. */
  value(name: string, value: unknown): unknown {
    const attribute = this.#byName.get(name) ?? this.#byColumn.get(name)
    if (attribute === undefined || value === null || value === undefined) return value
    return this.#dialect.codecs[attribute.scalar.storage].encode(canonical(attribute, value) as never)
  }

  /** The same for operands of queries: references, subqueries and other objects are returned unchanged. */
  operand(name: string, value: unknown): unknown {
    const own = `${this.#table}.`
    const plain = name.startsWith(own) ? name.slice(own.length) : name
    if (Array.isArray(value)) return value.map(one => this.operand(plain, one))
    const { storage } = (this.#byName.get(plain) ?? this.#byColumn.get(plain))?.scalar ?? {}
    const isOther = storage === 'json' || (isObject(value) && !(value instanceof Date))
    return isOther ? value : this.value(plain, value)
  }
}

function canonical({ scalar }: ScalarAttribute, value: unknown): unknown {
  if (scalar.family === 'datetime') return parseDatetime(value)
  if (scalar.family === 'date') return parseDate(value instanceof Date ? value.toISOString() : value)
  return scalar.family === 'time' ? parseTime(value) : value
}

/** knex returns SQLite's big integers as numbers. */
function rawOf({ scalar }: ScalarAttribute, raw: unknown): unknown {
  return scalar.storage === 'biginteger' ? String(raw) : raw
}

function mapEntries(from: Json, map: (key: string, value: unknown) => [string, unknown]): Json {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => map(key, value)))
}
