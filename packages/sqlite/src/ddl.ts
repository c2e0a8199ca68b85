// DDL of SQLite: all changes are in one transaction, and a column changes its type by means of a new column.

import {
  columnTexts,
  type Ddl,
  type Family,
  fieldsOf,
  foreignKeyText,
  indexColumns,
  type PresentTable,
  typeIn,
  type ValueTexts,
} from '@plinth/kernel/database'
import { sqliteCatalogue } from './catalogue.ts'
import { sqlite as dialect } from './dialect.ts'
import { isHeld } from './errors.ts'
import { keepingLinks, withoutForeignKeys } from './foreign-keys.ts'

const q = dialect.quote

/** v4's column types (B-10.31). */
const types: Readonly<Record<string, string>> = {
  id: 'integer not null primary key autoincrement',
  reference: 'integer',
  order: 'float',
  string: 'varchar(255)',
  text: 'text',
  integer: 'integer',
  biginteger: 'bigint',
  float: 'float',
  decimal: 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
}

const families: readonly (readonly [RegExp, string])[] = [
  [/^((var)?char|(tiny|medium|long)?text|clob)/, 'text'],
  [/^bool/, 'boolean'],
  [/^(tiny|small|medium|big)?int/, 'integer'],
  [/^(float|double|real|decimal|numeric)/, 'float'],
  [/^(datetime|timestamp)/, 'datetime'],
  [/^date/, 'date'],
  [/^time/, 'time'],
  [/^json/, 'json'],
]

/** Kinds that SQLite stores alike. */
const alike: Readonly<Record<string, Family>> = {
  string: 'text',
  biginteger: 'integer',
  decimal: 'float',
  timestamp: 'datetime',
}

/** A sign or a digit, followed by digits, with at least one digit: SQLite has no regular expressions. */
const isWhole = (text: string) =>
  `(TRIM(${text}) GLOB '[-+0-9]*' AND SUBSTR(TRIM(${text}), 2) NOT GLOB '*[^0-9]*' AND TRIM(${text}) GLOB '*[0-9]*')`

const values: ValueTexts = {
  now: "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
  isWhole,
  isNumber: text =>
    `(${isWhole(text)} OR (json_valid(TRIM(${text})) AND json_type(TRIM(${text})) IN ('integer', 'real')))`,
  number: text => `CAST(TRIM(${text}) AS NUMERIC)`,
  floor: number => `CAST(${number} AS INTEGER)`,
  round: number => `ROUND(${number}, 2)`,
  text: value => `CAST(${value} AS TEXT)`,
  length: text => `LENGTH(${text})`,
  cast: (value, kind) =>
    `CAST(${value} AS ${kind === 'float' || kind === 'decimal' ? 'REAL' : kind === 'string' || kind === 'text' ? 'TEXT' : 'INTEGER'})`,
  true: '1',
  false: '0',
  never: '0',
  toText: (column, from, kind) => (from === 'text' ? values.cast(column, kind) : textOf(column, from)),
  midnight: date => `CAST(strftime('%s', ${date}) AS INTEGER) * 1000`,
  momentOfText: text => `plinth_moment(${text})`,
  fromText: (column, kind) => values.cast(values.number(column), kind),
  isExact,
  exact: number => number,
  fromBoolean: column => column,
  toBoolean: column => column,
}

/** The text of a value, as the servers write it. */
function textOf(column: string, from: string): string {
  const text = `CAST(${column} AS TEXT)`
  if (from === 'boolean') return `CASE WHEN ${column} THEN 'true' ELSE 'false' END`
  if (from === 'datetime')
    return `CASE WHEN typeof(${column}) = 'text' THEN ${column} ELSE strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch') END`
  if (from !== 'float') return text
  // SQLite writes 5.0 and 1.0e+21.
  const whole = `CAST(CAST(${column} AS INTEGER) AS TEXT)`
  return `CASE WHEN ABS(${column}) < 9e15 AND ${column} = CAST(${column} AS INTEGER) THEN ${whole} ELSE REPLACE(${text}, '.0e', 'e') END`
}

/**
 * SQLite clamps whole numbers beyond 64 bits to the largest one: more than 19 digits are too many, and 19 digits must
 * convert back to the same text.
 */
function isExact(text: string): string {
  const digits = `LTRIM(LTRIM(TRIM(${text}), '+-'), '0')`
  return `(LENGTH(${digits}) < 19 OR LTRIM(CAST(CAST(TRIM(${text}) AS INTEGER) AS TEXT), '-') = ${digits})`
}

/** Drops the indexes that contain the column; SQLite does not drop an indexed column. */
const dropIndexes = (table: PresentTable, column: string) =>
  table.indexes.filter(one => one.columns.includes(column)).map(one => `DROP INDEX ${q(one.name)}`)

export const sqliteDdl: Ddl = {
  catalogue: sqliteCatalogue,
  // BEGIN IMMEDIATE takes the lock; if another process writes, it fails at once.
  lock: { take: () => null, release: null, isTaken: isHeld },
  onlineIndexing: null,
  isTransactional: true,
  continueIds: () => null,
  quote: q,
  fit: name => name,
  limits: {
    database: 'SQLite',
    nameLength: null,
    columns: 2000,
    indexes: null,
    isReservedTable: name => /^sqlite_/i.test(name),
    isReservedColumn: () => false,
  },
  refuseRow: () => Promise.resolve(null),
  isRefusal: error => fieldsOf(error).code === 'SQLITE_ERROR',
  fitIndex: name => name,
  typeOf: kind => typeIn(types, kind),
  familyOf: type => families.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? null,
  holds: (family, kind) => family === null || family === (alike[kind] ?? kind),
  createTable(table) {
    const parts = [...columnTexts(this, table.columns), ...table.foreignKeys.map(key => foreignKeyText(this, key))]
    return { sql: [`CREATE TABLE ${q(table.name)} (${parts.join(', ')})`], later: [] }
  },
  addColumn(table, column, key) {
    const reference = key === undefined ? '' : ` REFERENCES ${q(key.table)} (${q('id')}) ON DELETE ${key.onDelete}`
    return [`ALTER TABLE ${q(table)} ADD COLUMN ${q(column.name)} ${this.typeOf(column.kind)}${reference}`]
  },
  addForeignKey: () => [],
  createIndex: (table, index) => [
    `CREATE ${index.unique ? 'UNIQUE INDEX' : 'INDEX'} ${q(index.name)} ON ${q(table.name)} (${indexColumns(index, q)})`,
  ],
  isUnindexable: () => false,
  withoutForeignKeys,
  keepingLinks,
  renameTable: (from, to) => [`ALTER TABLE ${q(from)} RENAME TO ${q(to)}`],
  renameColumn: (table, from, to) => [`ALTER TABLE ${q(table)} RENAME COLUMN ${q(from)} TO ${q(to)}`],
  renameIndex: (table, index, to) => [
    `DROP INDEX ${q(index.name)}`,
    `CREATE ${index.unique ? 'UNIQUE INDEX' : 'INDEX'} ${q(to)} ON ${q(table)} (${indexColumns(index, q)})`,
  ],
  renameKey: () => [],
  dropColumn(table, column) {
    const drop = `ALTER TABLE ${q(table.name)} DROP COLUMN ${q(column)}`
    if (table.keys.every(key => key.column !== column)) return [...dropIndexes(table, column), drop]
    return rebuildWithout(table, column)
  },
  dropIndex: (_table, index) => [`DROP INDEX ${q(index)}`],
  dropTable: name => [`DROP TABLE ${q(name)}`],
  retype(table, column, kind, using) {
    // The old column stays until the new one is filled; all of it is one transaction.
    const next = q(`plinth_new_${column}`)
    return [
      ...dropIndexes(table, column),
      `ALTER TABLE ${q(table.name)} ADD COLUMN ${next} ${this.typeOf(kind)}`,
      `UPDATE ${q(table.name)} SET ${next} = ${using} WHERE ${q(column)} IS NOT NULL`,
      `ALTER TABLE ${q(table.name)} DROP COLUMN ${q(column)}`,
      `ALTER TABLE ${q(table.name)} RENAME COLUMN ${next} TO ${q(column)}`,
    ]
  },
  values,
}

/**
 * A column with a foreign key can only be removed with its table: create a new table, copy the rows, rename it (the
 * twelve steps of sqlite.org; foreign keys are off meanwhile). The counter of ids is carried over.
 */
function rebuildWithout(table: PresentTable, column: string): string[] {
  const keptColumns = [...table.columns.values()].filter(one => one.name !== column)
  const keys = table.keys
    .filter(key => key.column !== column)
    .map(key => `FOREIGN KEY (${q(key.column)}) REFERENCES ${q(key.table)} (${q('id')}) ON DELETE ${key.onDelete}`)
  const columns = keptColumns.map(one => `${q(one.name)} ${one.name === 'id' ? types.id : one.type}`)
  const next = `plinth_new_${table.name}`
  const names = keptColumns.map(one => q(one.name)).join(', ')
  const text = (name: string) => `'${name.replaceAll("'", "''")}'`
  const indexes = table.indexes.filter(one => !one.columns.includes(column))
  return [
    `CREATE TABLE ${q(next)} (${[...columns, ...keys].join(', ')})`,
    `INSERT INTO ${q(next)} (${names}) SELECT ${names} FROM ${q(table.name)}`,
    `DELETE FROM sqlite_sequence WHERE name = ${text(next)}`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${text(next)}, seq FROM sqlite_sequence WHERE name = ${text(table.name)}`,
    `DROP TABLE ${q(table.name)}`,
    `ALTER TABLE ${q(next)} RENAME TO ${q(table.name)}`,
    ...indexes.flatMap(index => {
      const what = `${index.unique ? 'UNIQUE INDEX' : 'INDEX'} ${q(index.name)}`
      return [`CREATE ${what} ON ${q(table.name)} (${indexColumns(index, q)})`]
    }),
  ]
}
