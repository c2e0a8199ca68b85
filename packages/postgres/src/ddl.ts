// DDL of PostgreSQL: changes of tables are part of the transaction; a column changes its type with an expression for
// its values.

import {
  columnTexts,
  cut,
  type Ddl,
  fieldsOf,
  foreignKeyText,
  indexColumns,
  type OnlineIndexing,
  shorten,
  typeIn,
  type ValueTexts,
} from '@plinth/kernel/database'
import { postgresCatalogue } from './catalogue.ts'
import { postgres as dialect } from './dialect.ts'

const q = dialect.quote

/** v4's column types (B-10.31). */
const types: Readonly<Record<string, string>> = {
  id: 'serial primary key',
  reference: 'integer',
  order: 'double precision',
  string: 'varchar(255)',
  text: 'text',
  integer: 'integer',
  biginteger: 'bigint',
  float: 'double precision',
  decimal: 'decimal(10, 2)',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'timestamp(6)',
  timestamp: 'timestamp(6)',
  json: 'jsonb',
}

const families: readonly (readonly [RegExp, string])[] = [
  [/^character|^varchar/, 'string'],
  [/^text/, 'text'],
  [/^bigint/, 'biginteger'],
  [/^(integer|smallint)/, 'integer'],
  [/^(double|real)/, 'float'],
  [/^(numeric|decimal)/, 'decimal'],
  [/^boolean/, 'boolean'],
  [/^timestamp/, 'datetime'],
  [/^date$/, 'date'],
  [/^time /, 'time'],
  [/^json/, 'json'],
]

const matches = (text: string, pattern: string) => `(BTRIM(${text}) ~ '${pattern}')`

const values: ValueTexts = {
  now: "(NOW() AT TIME ZONE 'UTC')",
  isWhole: text => matches(text, '^[+-]?[0-9]+$'),
  isNumber: text => matches(text, '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'),
  number: text => `BTRIM(${text})::numeric`,
  floor: number => `FLOOR(${number})`,
  round: number => `ROUND((${number})::numeric, 2)`,
  text: value => `(${value})::text`,
  length: text => `LENGTH(${text})`,
  cast: (value, kind) => `(${value})::${types[kind]}`,
  true: 'true',
  false: 'false',
  never: 'false',
  toText: (column, from, kind) => values.cast(textOf(column, from), kind),
  midnight: date => `(${date})::timestamp`,
  momentOfText: null,
  fromText: (column, kind) => values.cast(values.number(column), kind),
  isExact: null,
  exact: number => `(${number})::numeric`,
  fromBoolean: (column, yes, no) => `CASE WHEN ${column} THEN ${yes} WHEN NOT ${column} THEN ${no} END`,
  toBoolean: column => `(${column} = 1)`,
}

/** The text of a value, as answers have it. */
function textOf(column: string, from: string): string {
  if (from === 'string' || from === 'text') return column
  if (from === 'datetime') return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  if (from === 'time') return `to_char(${column}, 'HH24:MI:SS.MS')`
  return from === 'decimal' ? `(${column})::double precision::text` : values.text(column)
}

const onlineIndexing: OnlineIndexing = {
  refusal: null,
  opening: [],
  tryLock: 'SELECT CAST(pg_try_advisory_lock(1886153333) AS int)',
  createIndex(table, index) {
    const texts = postgresDdl.createIndex(table, index)
    return texts?.map(text => text.replace(' INDEX ', ' INDEX CONCURRENTLY ')) ?? null
  },
  dropIndex: (_table, index) => [`DROP INDEX CONCURRENTLY IF EXISTS ${q(index)}`],
}

export const postgresDdl: Ddl = {
  catalogue: postgresCatalogue,
  lock: {
    take: () => 'SELECT 1 FROM (SELECT pg_advisory_xact_lock(1886153332)) x',
    release: null,
    isTaken: () => false,
  },
  onlineIndexing,
  isTransactional: true,
  continueIds: table =>
    `SELECT setval(pg_get_serial_sequence('${q(table).replaceAll("'", "''")}', 'id'), MAX(id)) FROM ${q(table)} HAVING MAX(id) IS NOT NULL`,
  quote: q,
  // The server truncates names by itself, in every statement alike.
  fit: name => cut(name, 63),
  limits: {
    database: 'PostgreSQL',
    nameLength: null,
    columns: 1600,
    indexes: null,
    isReservedTable: () => false,
    isReservedColumn: name => /^(tableoid|ctid|[cx]m(in|ax))$/.test(name),
  },
  refuseRow: () => Promise.resolve(null),
  // Mistakes in definitions, and limits of the server.
  isRefusal: error => /^(42|54)/.test(String(fieldsOf(error).code)),
  fitIndex: name => shorten(name, 63),
  typeOf: kind => typeIn(types, kind),
  familyOf: type => families.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? null,
  holds: (family, kind) => family === null || family === (kind === 'timestamp' ? 'datetime' : kind),
  createTable(table, existingTables) {
    const may = (name: string) => existingTables.has(this.fit(name)) || name === table.name
    const keys = table.foreignKeys.filter(key => may(key.table)).map(key => foreignKeyText(this, key))
    const parts = [...columnTexts(this, table.columns), ...keys]
    const later = table.foreignKeys.filter(key => !may(key.table))
    return { sql: [`CREATE TABLE ${q(table.name)} (${parts.join(', ')})`], later }
  },
  addColumn(table, column, key) {
    const add = `ALTER TABLE ${q(table)} ADD COLUMN ${q(column.name)} ${this.typeOf(column.kind)}`
    return [key === undefined ? add : `${add}, ADD ${foreignKeyText(this, key)}`]
  },
  addForeignKey(table, key) {
    return [`ALTER TABLE ${q(table)} ADD ${foreignKeyText(this, key)}`]
  },
  createIndex(table, index) {
    const { name, columns, unique } = index
    const kinds = new Map(table.columns.map(column => [column.name, column.kind]))
    const isLong = (column: string) => kinds.get(column) === 'text'
    // An entry of an index takes a third of a page at most, and a row that exceeds it would be refused.
    if (columns.some(column => kinds.get(column) === 'json') || (!unique && columns.some(isLong))) return null
    const parts = indexColumns(index, column => (isLong(column) ? `MD5(${q(column)})` : q(column)))
    const what = `${unique ? 'UNIQUE INDEX' : 'INDEX'} ${q(this.fitIndex(name))}`
    return [`CREATE ${what} ON ${q(table.name)} (${parts})`]
  },
  isUnindexable: () => false,
  withoutForeignKeys: (_, work) => work(),
  keepingLinks: async (_, work) => void (await work()),
  renameTable: (from, to) => [`ALTER TABLE ${q(from)} RENAME TO ${q(to)}`],
  renameColumn: (table, from, to) => [`ALTER TABLE ${q(table)} RENAME COLUMN ${q(from)} TO ${q(to)}`],
  renameIndex(_table, index, to) {
    return [`ALTER INDEX ${q(index.name)} RENAME TO ${q(this.fitIndex(to))}`]
  },
  renameKey: (table, key, to) => [`ALTER TABLE ${q(table)} RENAME CONSTRAINT ${q(key.name)} TO ${q(to)}`],
  dropColumn: (table, column) => [`ALTER TABLE ${q(table.name)} DROP COLUMN ${q(column)}`],
  dropIndex: (_table, index) => [`DROP INDEX ${q(index)}`],
  dropTable: name => [`DROP TABLE ${q(name)}`],
  retype(table, column, kind, using) {
    const drops = table.indexes.filter(one => one.columns.includes(column)).map(one => `DROP INDEX ${q(one.name)}`)
    return [...drops, `ALTER TABLE ${q(table.name)} ALTER COLUMN ${q(column)} TYPE ${this.typeOf(kind)} USING ${using}`]
  },
  values,
}

/** The DDL with the statement with which a connection for indexes begins. */
export function withOpening(ddl: Ddl, opening: string): Ddl {
  return { ...ddl, onlineIndexing: { ...onlineIndexing, opening: [opening] } }
}

/** The DDL where each statement may have another server connection: a lock and time limits would stay with it. */
export function behindPooler(ddl: Ddl): Ddl {
  const refusal =
    'a pooler gives each transaction another connection to the server, and CREATE INDEX CONCURRENTLY runs in no transaction; run `plinth migrate apply` with the address of the server itself'
  return { ...ddl, onlineIndexing: { ...ddl.onlineIndexing!, refusal } }
}
