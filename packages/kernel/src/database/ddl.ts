// How a database is told to change its tables: the only thing about it in which databases differ. One object per database.

import { createHash } from 'node:crypto'
import type { ColumnKind, ColumnLayout, ForeignKey, IndexLayout, TableLayout } from './layout.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { PresentIndex, PresentKey, PresentTable } from './present.ts'

/** What a column's type means, whatever the database's word for it; null for types that no attribute has. */
export type Family = ColumnKind | null

export interface Ddl {
  readonly name: Dialect['name']
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
