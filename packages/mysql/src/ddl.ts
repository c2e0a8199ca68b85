// DDL of MySQL and MariaDB: every change of a table commits by itself, so each step is one statement that is either
// done or not.

import {
  columnTexts,
  type Ddl,
  type ForeignKey,
  fieldsOf,
  foreignKeyText,
  type IndexLayout,
  indexColumns,
  type OnlineIndexing,
  type PresentTable,
  shorten,
  type TableLayout,
  typeIn,
  type ValueTexts,
} from '@plinth/kernel/database'
import { mysqlCatalogue } from './catalogue.ts'
import { mysql as dialect } from './dialect.ts'
import { liftTimes } from './limits.ts'
import { tryRow } from './row-sizes.ts'

const q = dialect.quote

/** v4's column types (B-10.31). */
const types: Readonly<Record<string, string>> = {
  id: 'int unsigned not null auto_increment primary key',
  reference: 'int unsigned',
  order: 'double unsigned',
  string: 'varchar(255)',
  text: 'longtext',
  integer: 'int',
  biginteger: 'bigint',
  float: 'double',
  decimal: 'decimal(10, 2)',
  boolean: 'tinyint(1)',
  date: 'date',
  time: 'time(3)',
  datetime: 'datetime(6)',
  timestamp: 'timestamp(6) null',
  json: 'json',
}

const families: readonly (readonly [RegExp, string])[] = [
  [/^tinyint\(1\)/, 'boolean'],
  [/^varchar|^char/, 'string'],
  [/^(tiny|medium|long)?text/, 'text'],
  [/^bigint/, 'biginteger'],
  [/^(tiny|small|medium)?int/, 'integer'],
  [/^(double|float)/, 'float'],
  [/^decimal/, 'decimal'],
  [/^(datetime|timestamp)/, 'datetime'],
  [/^date/, 'date'],
  [/^time/, 'time'],
  [/^json/, 'json'],
]

const matches = (text: string, pattern: string) => `(TRIM(${text}) REGEXP '${pattern}')`

const values: ValueTexts = {
  now: 'UTC_TIMESTAMP(3)',
  isWhole: text => matches(text, '^[+-]?[0-9]+$'),
  isNumber: text => matches(text, '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'),
  number: text => `CAST(TRIM(${text}) AS DECIMAL(65, 10))`,
  floor: number => `FLOOR(${number})`,
  round: number => `ROUND(${number}, 2)`,
  text: value => `CAST(${value} AS CHAR)`,
  length: text => `CHAR_LENGTH(${text})`,
  // MODIFY casts by itself; only texts are converted to a form that it can read.
  cast: value => value,
  true: `'1'`,
  false: `'0'`,
  never: '0',
  toText: textOf,
  // MODIFY makes midnight of a date.
  midnight: date => date,
  momentOfText: null,
  fromText: (column, kind) =>
    kind === 'integer' || kind === 'biginteger'
      ? `CAST(CAST(TRIM(${column}) AS DECIMAL(40)) AS CHAR)`
      : `TRIM(${column})`,
  isExact: null,
  exact: number => number,
  // MySQL's booleans are numbers.
  fromBoolean: column => column,
  toBoolean: column => column,
}

/** The text of a value, as answers have it; MODIFY converts the others to the same. */
function textOf(column: string, from: string): string {
  if (from === 'boolean') return `CASE WHEN ${column} THEN 'true' ELSE 'false' END`
  if (from === 'datetime') return `CONCAT(LEFT(DATE_FORMAT(${column}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`
  if (from === 'decimal') return `CAST(CAST(${column} AS DOUBLE) AS CHAR)`
  return column
}

/** An index on a long text covers its first 191 characters. */
const prefix = 191

/** The maximum length of a name. */
const nameLength = 64

/** Nobody waits for these statements: where InnoDB cannot do without a lock, they fail instead. */
const onlineIndexing: OnlineIndexing = {
  refusal: null,
  opening: [liftTimes({ statementTimeout: 0, lockTimeout: 0, idleTransactionTimeout: 0 }).lift],
  tryLock: `SELECT GET_LOCK(CONCAT('plinth_indexes_', MD5(DATABASE())), 0)`,
  createIndex: (table, index) => [`${createText(table, index)} ALGORITHM = INPLACE LOCK = NONE`],
  dropIndex: (table, index) => [`ALTER TABLE ${q(table)} DROP INDEX ${q(index)}, ALGORITHM = INPLACE, LOCK = NONE`],
}

export const mysqlDdl: Ddl = {
  catalogue: mysqlCatalogue,
  // Changes of tables commit the transaction, but the connection's lock remains.
  lock: {
    take: waitTimeout => `SELECT GET_LOCK(CONCAT('plinth_', MD5(DATABASE())), ${waitTimeout})`,
    release: `SELECT RELEASE_LOCK(CONCAT('plinth_', MD5(DATABASE())))`,
    isTaken: () => false,
  },
  onlineIndexing,
  isTransactional: false,
  continueIds: () => null,
  quote: q,
  fit: name => name,
  limits: {
    database: 'MySQL',
    nameLength,
    // Of the engine InnoDB.
    columns: 1017,
    indexes: 64,
    isReservedTable: () => false,
    isReservedColumn: name => /^db_(row_id|trx_id|roll_ptr)$/i.test(name),
  },
  refuseRow(session, table, columns) {
    const texts = columnTexts(
      this,
      columns.filter(one => one.kind !== 'id'),
    )
    return tryRow(session, table === null ? null : q(table), texts)
  },
  isRefusal: error =>
    /^ER_(TOO_(BIG|LONG|MANY_(KEYS|FIELDS|KEY_PARTS))|CANT_CREATE_TABLE|WRONG_|DUP_(FIELDNAME|KEYNAME)|INVALID_|BLOB_|BAD_|PARSE_|TABLE_EXISTS)/.test(
      String(fieldsOf(error).code),
    ),
  fitIndex: name => shorten(name, nameLength),
  typeOf: kind => typeIn(types, kind),
  familyOf: type => families.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? null,
  holds(family, kind) {
    // In early versions of MariaDB, json is a plain longtext.
    if (kind === 'json' && family === 'text') return true
    return family === null || family === (kind === 'timestamp' ? 'datetime' : kind)
  },
  createTable(table) {
    const parts = [...columnTexts(this, table.columns), ...table.foreignKeys.map(key => foreignKeyText(this, key))]
    const create = `CREATE TABLE ${q(table.name)} (${parts.join(', ')})`
    // Types may refer to each other in a cycle.
    const sql = ['SET SESSION foreign_key_checks = 0', create, 'SET SESSION foreign_key_checks = 1']
    return { sql: table.foreignKeys.length === 0 ? [create] : sql, later: [] }
  },
  addColumn(table, column, key) {
    const add = `ALTER TABLE ${q(table)} ADD COLUMN ${q(column.name)} ${this.typeOf(column.kind)}`
    return [key === undefined ? add : `${add}, ADD ${foreignKeyText(this, key)}`]
  },
  addForeignKey: () => [],
  createIndex: (table, index) => [createText(table, index)],
  // MySQL, unlike MariaDB, does not support unique indexes on long texts.
  isUnindexable: error => /^ER_(BLOB_KEY_WITHOUT_LENGTH|TOO_LONG_KEY)$/.test(String(fieldsOf(error).code)),
  withoutForeignKeys: (_, work) => work(),
  keepingLinks: async (_, work) => void (await work()),
  renameTable: (from, to) => [`RENAME TABLE ${q(from)} TO ${q(to)}`],
  renameColumn: (table, from, to) => [`ALTER TABLE ${q(table)} RENAME COLUMN ${q(from)} TO ${q(to)}`],
  renameIndex(table, index, to) {
    return [`ALTER TABLE ${q(table)} RENAME INDEX ${q(index.name)} TO ${q(this.fitIndex(to))}`]
  },
  renameKey(table, key, to) {
    const onDelete = key.onDelete as ForeignKey['onDelete']
    const again = foreignKeyText(this, { name: to, column: key.column, table: key.table, onDelete })
    return [`ALTER TABLE ${q(table)} DROP FOREIGN KEY ${q(key.name)}, ADD ${again}`]
  },
  dropColumn(table, column) {
    const keys = table.keys.filter(key => key.column === column).map(key => `DROP FOREIGN KEY ${q(key.name)}`)
    return [
      `ALTER TABLE ${q(table.name)} ${[...keys, ...dropIndexes(table, column), `DROP COLUMN ${q(column)}`].join(', ')}`,
    ]
  },
  dropIndex: (table, index) => [`ALTER TABLE ${q(table)} DROP INDEX ${q(index)}`],
  dropTable: name => [`DROP TABLE ${q(name)}`],
  retype(table, column, kind, using) {
    // The column is changed in place, so its values are never outside it.
    const type = this.typeOf(kind)
    const change = (...parts: string[]) =>
      `ALTER TABLE ${q(table.name)} ${[...dropIndexes(table, column), ...parts].join(', ')}`
    const alter = change(`MODIFY COLUMN ${q(column)} ${type}`)
    if (using === q(column)) return [alter]
    if (kind === 'string' || kind === 'text') {
      // The former column cannot hold the text, so it stays until another one is filled.
      const next = `plinth_new_${column}`
      const add = table.columns.has(next) ? [] : [`ALTER TABLE ${q(table.name)} ADD COLUMN ${q(next)} ${type}`]
      const fill = `UPDATE ${q(table.name)} SET ${q(next)} = ${using} WHERE ${q(column)} IS NOT NULL`
      return [...add, fill, change(`DROP COLUMN ${q(column)}`, `CHANGE COLUMN ${q(next)} ${q(column)} ${type}`)]
    }
    return [`UPDATE ${q(table.name)} SET ${q(column)} = ${using} WHERE ${q(column)} IS NOT NULL`, alter]
  },
  values,
}

/** CREATE INDEX. Long texts are indexed by their beginning. */
function createText(table: TableLayout, index: IndexLayout): string {
  const { name, unique } = index
  const kinds = new Map(table.columns.map(column => [column.name, column.kind]))
  const isLong = (column: string) => kinds.get(column) === 'text' || kinds.get(column) === 'json'
  // A prefix does not show whether whole texts differ; MariaDB compares unique texts by a hash.
  const parts = indexColumns(index, column => (isLong(column) && !unique ? `${q(column)}(${prefix})` : q(column)))
  const what = `${unique ? 'UNIQUE INDEX' : 'INDEX'} ${q(shorten(name, nameLength))}`
  return `CREATE ${what} ON ${q(table.name)} (${parts})`
}

const dropIndexes = (table: PresentTable, column: string) =>
  table.indexes.filter(one => one.columns.includes(column)).map(one => `DROP INDEX ${q(one.name)}`)
