// Reads the tables, columns, indexes and foreign keys of a database from its catalogue, in a few statements for any
// number of tables.

import type { Session } from './session.ts'

export interface PresentColumn {
  readonly name: string
  /** The type as the database spells it: `varchar(255)`, `character varying(255)`. */
  readonly type: string
}

export interface PresentIndex {
  readonly name: string
  /** An expression appears as an empty string. */
  readonly columns: readonly string[]
  readonly unique: boolean
}

export interface PresentKey {
  /** Empty on SQLite, which does not report it. */
  readonly name: string
  readonly column: string
  readonly table: string
  readonly onDelete: string
}

export interface PresentTable {
  readonly name: string
  readonly columns: ReadonlyMap<string, PresentColumn>
  readonly indexes: readonly PresentIndex[]
  readonly keys: readonly PresentKey[]
}

/** Tables by name. */
export type Present = ReadonlyMap<string, PresentTable>

/** The statements that read a database's catalogue. */
export interface Catalogue {
  /** table, column, type */
  readonly columns: string
  /** table, index, column, unique */
  readonly indexes: string
  /** table, name, column, referenced table, delete rule */
  readonly keys: string
  /** Returns SQL that selects a row if a table of this name exists. The name must be a plain word. */
  table(name: string): string
  /**
   * Finds columns that hold JSON although their type does not say so, as `table column`; null if the database has no
   * such columns.
   */
  readonly findJson: ((session: Session) => Promise<ReadonlySet<string>>) | null
}

/** The columns of each table by its name. */
export type PresentColumns = ReadonlyMap<string, ReadonlyMap<string, PresentColumn>>

/** Reads the columns of the connection's database or schema, in one statement or two. */
export async function inspectColumns(catalogue: Catalogue, session: Session): Promise<PresentColumns> {
  const tables = new Map<string, Map<string, PresentColumn>>()
  const listed = (await session.all(catalogue.columns, [])) as [string, string, string][]
  const checked = await catalogue.findJson?.(session)
  for (const [table, column, type] of listed) {
    const columns = tables.get(table) ?? new Map<string, PresentColumn>()
    tables.set(table, columns)
    columns.set(column, { name: column, type: checked?.has(`${table} ${column}`) ? 'json' : type })
  }
  return tables
}

/** Reads the catalogue of the connection's database or schema. */
export async function inspect(catalogue: Catalogue, session: Session): Promise<Present> {
  const tables = new Map<string, Mutable>()
  for (const [name, columns] of await inspectColumns(catalogue, session))
    tables.set(name, { name, columns, indexes: [], keys: [] })
  const indexed = (await session.all(catalogue.indexes, [])) as [string, string, string | null, unknown][]
  for (const [table, index, column, unique] of indexed) {
    const indexes = tables.get(table)?.indexes
    const last = indexes?.at(-1)
    if (last?.name === index) (last.columns as string[]).push(column ?? '')
    else indexes?.push({ name: index, columns: [column ?? ''], unique: Number(unique) === 1 })
  }
  const keys = (await session.all(catalogue.keys, [])) as [string, string, string, string, string][]
  for (const [table, key, column, target, onDelete] of keys)
    tables.get(table)?.keys.push({ name: key, column, table: target, onDelete })
  return tables
}

interface Mutable extends PresentTable {
  readonly indexes: PresentIndex[]
  readonly keys: PresentKey[]
}
