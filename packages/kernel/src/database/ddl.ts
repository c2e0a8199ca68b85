// How a database is told to change its tables: the only thing about it in which databases differ. One object per database.

import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { ColumnKind, ColumnLayout, ForeignKey, IndexLayout, TableLayout } from './layout.ts'
import type { Catalogue, PresentIndex, PresentKey, PresentTable } from './catalogue.ts'

/** What a column's type means, whatever the database's word for it; null for types that no attribute has. */
export type Family = ColumnKind | null

/** How one process of all that work on a database changes its tables at a time. */
export interface MigrationLock {
  /** Takes the lock within a transaction and gives 1, or waits so many seconds for it; null where BEGIN has taken it. */
  take(waitTimeout: number): string | null
  /** Gives it back; null where the end of the transaction does. */
  readonly release: string | null
  /** Does the error say that another process has it, although nobody waited for it? */
  isTaken(error: unknown): boolean
}

export interface Ddl {
  readonly catalogue: Catalogue
  readonly lock: MigrationLock
  /** Are changes of tables part of the transaction? Otherwise each commits by itself, and there are no savepoints among them. */
  readonly isTransactional: boolean
  quote(name: string): string
  /** The name as the database keeps it: PostgreSQL cuts long ones. */
  fit(name: string): string
  /** Characters in the name of a table or column; null where none is refused. */
  readonly longest: number | null
  /** The name of an index or a constraint; a long one is shortened so that no two become one. */
  fitIndex(name: string): string
  /** The SQL type of a kind of column. */
  typeOf(kind: ColumnKind): string
  /** What a present column is. */
  familyOf(type: string): Family
  /** Does a column of this family hold what attributes of this kind write, and answer it as it was? */
  holds(family: Family, kind: ColumnKind): boolean
  /** `known`: tables that foreign keys may name by now; the other ones come back. */
  createTable(
    table: TableLayout,
    known: ReadonlySet<string>,
  ): { readonly sql: readonly string[]; readonly later: readonly ForeignKey[] }
  addColumn(table: string, column: ColumnLayout, key: ForeignKey | undefined): readonly string[]
  addForeignKey(table: string, key: ForeignKey): readonly string[]
  /** Null where the database cannot have such an index. */
  createIndex(table: TableLayout, index: IndexLayout): readonly string[] | null
  /** Does the error say that the database has no such index for these columns, whatever the rows? */
  isUnindexable(error: unknown): boolean
  /** Runs `work`, which begins its own transaction, without foreign keys where changes of tables would follow them. */
  withoutForeignKeys<T>(knex: Knex, work: () => Promise<T>): Promise<T>
  /** Runs changes of tables by somebody else's hand in a transaction; what rows refer to is right afterwards. */
  keepingLinks(trx: Knex, work: () => unknown): Promise<void>
  renameTable(from: string, to: string): readonly string[]
  renameColumn(table: string, from: string, to: string): readonly string[]
  renameIndex(table: string, index: PresentIndex, to: string): readonly string[]
  renameKey(table: string, key: PresentKey, to: string): readonly string[]
  /** Indexes and foreign keys of the column go with it. */
  dropColumn(table: PresentTable, column: string): readonly string[]
  dropTable(name: string): readonly string[]
  /** `using` makes the new value of the old one. */
  retype(table: PresentTable, column: string, kind: ColumnKind, using: string): readonly string[]
  readonly values: ValueTexts
}

/** Tests and casts of values, as SQL. */
export interface ValueTexts {
  /** Is a text a whole number? */
  isWhole(text: string): string
  /** Is a text a number? */
  isNumber(text: string): string
  /** The number that a text is. */
  number(text: string): string
  /** Cuts a number's fraction. */
  floor(number: string): string
  /** A number in two decimals. */
  round(number: string): string
  /** A value as text. */
  text(value: string): string
  /** Length in characters. */
  length(text: string): string
  /** A value as this kind. */
  cast(value: string, kind: ColumnKind): string
  readonly true: string
  readonly false: string
  /** What is never true, as a condition. */
  readonly never: string
  /** A column of values of another type as text of this kind; `isText` where they are texts of another length. */
  toText(column: string, isText: boolean, kind: ColumnKind): string
  /** A column of texts, which are numbers, as numbers of this kind. */
  fromText(column: string, kind: ColumnKind): string
  /** Holds where a text that is a whole number becomes that very number; null where longer ones are errors. */
  readonly isExact: ((text: string) => string) | null
  /** A number that compares with one in two decimals. */
  exact(number: string): string
  /** A column of booleans as one of these. */
  fromBoolean(column: string, yes: string, no: string): string
  /** A column that holds 0 and 1 as booleans. */
  toBoolean(column: string): string
}

/** Columns that relations and lists need are no attributes' and are never retyped. */
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

/** The columns of a table, each with its type. */
export function columnTexts(ddl: Ddl, columns: readonly ColumnLayout[]): string[] {
  return columns.map(column => `${ddl.quote(column.name)} ${ddl.typeOf(column.kind)}`)
}

/** The type that a table says for a kind. Throws for kinds that no database has. */
export function typeIn(types: Readonly<Record<string, string>>, kind: ColumnKind): string {
  const type = types[kind]
  if (type === undefined) throw new Error(`no column type for "${kind}"`)
  return type
}

/** Cuts a name to `length` and tells it apart from others that begin alike. */
export function shorten(name: string, length: number): string {
  if (Buffer.byteLength(name) <= length) return name
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, length - 9)}_${mark}`
}
