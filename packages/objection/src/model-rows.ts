// Converts between the objects of Objection models and rows: values by the dialect's codecs, names by the columns of
// attributes.

import { type ContentType, isRecord, type ScalarAttribute } from '@plinth/kernel'
import { type Dialect, parseDate, parseDatetime, parseTime } from '@plinth/kernel/tables'

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

  /** Returns whether the type has a scalar attribute of this name. */
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

  /** Returns the column of an attribute, also with the type's own table as prefix, and other names unchanged. */
  column(name: string): string {
    const [, attribute, alias] = /^(.+)( as .+)$/i.exec(name) ?? []
    if (attribute !== undefined) return this.column(attribute) + alias
    const prefix = `${this.#table}.`
    if (name.startsWith(prefix)) return prefix + this.column(name.slice(prefix.length))
    return this.#byName.get(name)?.column ?? name
  }

  /** Converts a value of an attribute for its column, and returns values of other names unchanged. */
  value(name: string, value: unknown): unknown {
    const attribute = this.#byName.get(name) ?? this.#byColumn.get(name)
    if (attribute === undefined || value === null || value === undefined) return value
    return this.#dialect.codecs[attribute.scalar.storage].encode(canonical(attribute, value) as never)
  }

  /** Converts an operand of a query in the same way, and returns references, subqueries and other objects unchanged. */
  operand(name: string, value: unknown): unknown {
    const prefix = `${this.#table}.`
    const bareName = name.startsWith(prefix) ? name.slice(prefix.length) : name
    if (Array.isArray(value)) return value.map(one => this.operand(bareName, one))
    const { storage } = (this.#byName.get(bareName) ?? this.#byColumn.get(bareName))?.scalar ?? {}
    const isUnchanged = storage === 'json' || (isRecord(value) && !(value instanceof Date))
    return isUnchanged ? value : this.value(bareName, value)
  }
}

/** Returns the form of a value that the codecs encode. */
function canonical({ scalar }: ScalarAttribute, value: unknown): unknown {
  if (scalar.family === 'datetime') return parseDatetime(value)
  if (scalar.family === 'date') return parseDate(value instanceof Date ? value.toISOString() : value)
  return scalar.family === 'time' ? parseTime(value) : value
}

/** Returns the raw value that the codecs decode: knex returns big integers of some drivers as numbers. */
function rawOf({ scalar }: ScalarAttribute, raw: unknown): unknown {
  return scalar.storage === 'biginteger' ? String(raw) : raw
}

/** Maps each key and value of an object. */
function mapEntries(from: Json, map: (key: string, value: unknown) => [string, unknown]): Json {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => map(key, value)))
}
