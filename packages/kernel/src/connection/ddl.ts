// The DDL of a database: its column types, and the statements that change tables. One object per database.

import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Catalogue, PresentIndex, PresentKey, PresentTable } from './catalogue.ts'
import type { ColumnKind, ColumnLayout, ForeignKey, IndexLayout, TableLayout } from './layout.ts'
import type { Session } from './session.ts'

/** The kind of attribute that a column's type can hold; null for types that no attribute has. */
export type Family = ColumnKind | null

/** A lock that lets one process at a time migrate a database. */
export interface MigrationLock {
  /**
   * SQL that takes the lock within a transaction and selects 1, or waits for it for at most `waitTimeout` seconds; null
   * if BEGIN takes the lock.
   */
  take(waitTimeout: number): string | null
  /** SQL that releases the lock; null if the end of the transaction does. */
  readonly release: string | null
  /** Returns whether the error says that another process has the lock, without having waited for it. */
  isTaken(error: unknown): boolean
}

/** The limits of the database for tables. */
export interface TableLimits {
  /** The name of the database, for messages. */
  readonly database: string
  /** The maximum number of characters in the name of a table or column; null if no length is refused. */
  readonly nameLength: number | null
  /** The maximum number of columns of a table. */
  readonly columns: number
  /** The maximum number of indexes of a table with the primary key; null if there is no limit. */
  readonly indexes: number | null
  /** Returns whether no table of an application can have this name. */
  isReservedTable(name: string): boolean
  /** Returns whether no column can have this name. */
  isReservedColumn(name: string): boolean
}

/** The statements that make indexes while others read and write: on their own connection, outside of any transaction. */
export interface OnlineIndexing {
  /** The reason why this way to the server does not allow it, as a sentence without a full stop; null if it does. */
  readonly refusal: string | null
  /** The statements with which the connection begins: it has no time limits. */
  readonly opening: readonly string[]
  /**
   * SQL that takes the lock of the process that makes indexes, until the connection ends, and selects 1. Selects 0 if
   * another process has it, and does not wait.
   */
  readonly tryLock: string
  /** Null if the database does not support the index. */
  createIndex(table: TableLayout, index: IndexLayout): readonly string[] | null
  /** Drops what a failed statement has left. */
  dropIndex(table: string, index: string): readonly string[]
}

export interface Ddl {
  readonly catalogue: Catalogue
  readonly lock: MigrationLock
  /** Null if indexes are made in a transaction, as others are: there is one writer, and it waits. */
  readonly onlineIndexing: OnlineIndexing | null
  /**
   * True if changes of tables are part of the transaction. If not, each commits by itself, and there are no savepoints
   * around them.
   */
  readonly isTransactional: boolean
  quote(name: string): string
  /** The name as the database stores it: PostgreSQL truncates long names. */
  fit(name: string): string
  readonly limits: TableLimits
  /**
   * Returns the reason for which the database refuses a row with these columns, beside those of a table; null if it
   * does not, or if that shows only when the table is changed.
   */
  refuseRow(session: Session, table: string | null, columns: readonly ColumnLayout[]): Promise<string | null>
  /** Returns whether the error says that the database refuses the form of a table, whatever its rows. */
  isRefusal(error: unknown): boolean
  /** The name of an index or a constraint. Long names are shortened so that they stay distinct. */
  fitIndex(name: string): string
  /** The SQL type of a kind of column. */
  typeOf(kind: ColumnKind): string
  /** The family of an existing column's type. */
  familyOf(type: string): Family
  /**
   * Returns whether a column of this family can store the values of attributes of this kind and return them unchanged.
   */
  holds(family: Family, kind: ColumnKind): boolean
  /**
   * Creates a table. `existingTables` lists the tables that exist so far; foreign keys to other tables are returned in
   * `later`.
   */
  createTable(
    table: TableLayout,
    existingTables: ReadonlySet<string>,
  ): { readonly sql: readonly string[]; readonly later: readonly ForeignKey[] }
  addColumn(table: string, column: ColumnLayout, key: ForeignKey | undefined): readonly string[]
  addForeignKey(table: string, key: ForeignKey): readonly string[]
  /** Null if the database does not support the index. */
  createIndex(table: TableLayout, index: IndexLayout): readonly string[] | null
  /** Returns whether the error says that the database cannot index these columns, for any rows. */
  isUnindexable(error: unknown): boolean
  /**
   * Runs `work`, which begins its own transaction, with foreign keys disabled if changes of tables would trigger them.
   */
  withoutForeignKeys<T>(knex: Knex, work: () => Promise<T>): Promise<T>
  /** Runs changes of tables by application code in a transaction, and keeps references between rows intact. */
  keepingLinks(trx: Knex, work: () => unknown): Promise<void>
  renameTable(from: string, to: string): readonly string[]
  renameColumn(table: string, from: string, to: string): readonly string[]
  renameIndex(table: string, index: PresentIndex, to: string): readonly string[]
  renameKey(table: string, key: PresentKey, to: string): readonly string[]
  /** Also drops the column's indexes and foreign keys. */
  dropColumn(table: PresentTable, column: string): readonly string[]
  dropIndex(table: string, index: string): readonly string[]
  dropTable(name: string): readonly string[]
  /** Changes a column's type; `using` is the expression that converts the old value. */
  retype(table: PresentTable, column: string, kind: ColumnKind, using: string): readonly string[]
  /** SQL that makes the ids of new rows continue behind the highest; null if the database does so by itself. */
  continueIds(table: string): string | null
  readonly values: ValueTexts
}

/** SQL expressions that test and convert values. */
export interface ValueTexts {
  /** The present time, as a datetime is stored. */
  readonly now: string
  /** Tests whether a text is a whole number. */
  isWhole(text: string): string
  /** Tests whether a text is a number. */
  isNumber(text: string): string
  /** Converts a text to a number. */
  number(text: string): string
  /** Truncates a number to a whole number. */
  floor(number: string): string
  /** Rounds a number to two decimals. */
  round(number: string): string
  /** Converts a value to text. */
  text(value: string): string
  /** Returns the length in characters. */
  length(text: string): string
  /** Converts a value to this kind. */
  cast(value: string, kind: ColumnKind): string
  readonly true: string
  readonly false: string
  /** A condition that is never true. */
  readonly never: string
  /**
   * Converts a column of this family to text of this kind: a boolean to `true` or `false`, a number to its shortest form, a
   * time and a datetime to the form of answers.
   */
  toText(column: string, from: ColumnKind, kind: ColumnKind): string
  /** Converts a date to the datetime with which it begins. */
  midnight(date: string): string
  /**
   * Converts a text in a column of moments to the moment, or to null if it is not a moment; null if such columns hold
   * no text.
   */
  readonly momentOfText: ((text: string) => string) | null
  /** Converts a column of numeric texts to numbers of this kind. */
  fromText(column: string, kind: ColumnKind): string
  /**
   * Tests whether a text of digits converts to exactly that number; null if the database refuses numbers that are too
   * long.
   */
  readonly isExact: ((text: string) => string) | null
  /** A number that can be compared with one rounded to two decimals. */
  exact(number: string): string
  /** Converts a column of booleans to one of these values. */
  fromBoolean(column: string, yes: string, no: string): string
  /** Converts a column of 0 and 1 to booleans. */
  toBoolean(column: string): string
}

/** Kinds of columns that relations and lists need. They belong to no attribute and are never converted. */
const structural = new Set(['id', 'reference', 'order'])

export function isStructural(kind: ColumnKind): boolean {
  return structural.has(kind)
}

/** `CONSTRAINT … FOREIGN KEY …`, the same on all databases. */
export function foreignKeyText(ddl: Ddl, key: ForeignKey): string {
  const q = (name: string) => ddl.quote(name)
  const what = `CONSTRAINT ${q(ddl.fitIndex(key.name))} FOREIGN KEY (${q(key.column)})`
  return `${what} REFERENCES ${q(ddl.fit(key.table))} (${q('id')}) ON DELETE ${key.onDelete}`
}

/** The columns of an index: `text` writes a column, for example quoted. */
export function indexColumns({ columns, descending = [] }: IndexLayout, text: (column: string) => string): string {
  return columns.map(name => `${text(name)}${descending.includes(name) ? ' DESC' : ''}`).join(', ')
}

/** The column definitions of a table. */
export function columnTexts(ddl: Ddl, columns: readonly ColumnLayout[]): string[] {
  return columns.map(column => `${ddl.quote(column.name)} ${ddl.typeOf(column.kind)}`)
}

/** Returns a database's type for a kind. Throws if the database has none. */
export function typeIn(types: Readonly<Record<string, string>>, kind: ColumnKind): string {
  const type = types[kind]
  if (type === undefined) throw new Error(`There is no column type for the storage "${kind}"`)
  return type
}

/** Shortens a name to `length` bytes, with a hash that keeps names distinct that begin alike. */
export function shorten(name: string, length: number): string {
  if (Buffer.byteLength(name) <= length) return name
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${cut(name, length - 9)}_${mark}`
}

/** Returns the beginning of a name, of at most this number of bytes, without a part of a character at its end. */
export function cut(name: string, bytes: number): string {
  let size = 0
  let end = 0
  for (const letter of name) {
    size += Buffer.byteLength(letter)
    if (size > bytes) break
    end += letter.length
  }
  return name.slice(0, end)
}
