// Reads the tables, columns, indexes and foreign keys of a database from its catalogue, in a few statements for any
// number of tables.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Rows, Session } from './session.ts'

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
  /** The columns that it holds in descending order; missing if there are none. */
  readonly descending?: readonly string[]
  /**
   * The reason why queries of all rows do not use it: it holds a part of them, or the statement that made it has failed.
   * Missing if they can.
   */
  readonly fault?: 'partial' | 'invalid'
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
  /** table, index, column, unique, descending, and its fault: `partial`, `invalid` or null */
  readonly indexes: string
  /** table, index, and how often queries have used it; null if the database does not count that. */
  readonly indexUses: string | null
  /** table, name, column, referenced table, delete rule */
  readonly keys: string
  /** Returns SQL that selects a row if a table of this name exists. The name must be a plain word. */
  table(name: string): string
  /**
   * Finds columns that hold JSON although their type does not say so, as `table column`; null if the database has no
   * such columns.
   */
  readonly findJson: ((session: Session) => Promise<ReadonlySet<string>>) | null
  /**
   * Returns whether the last statement of the session has read all tables; false if it has left one out which another
   * connection was changing. Null if statements always read all.
   */
  readonly isWhole: ((session: Session) => Promise<boolean>) | null
}

/** Milliseconds between two reads of a catalogue that was not whole. */
const interval = 20

/** Reads a list of the catalogue, again if it is not whole. */
async function readWhole({ isWhole }: Catalogue, session: Session, text: string): Promise<Rows> {
  for (;;) {
    const rows = await session.all(text, [])
    if (isWhole === null || (await isWhole(session))) return rows
    await sleep(interval)
  }
}

/** The columns of each table by its name. */
export type PresentColumns = ReadonlyMap<string, ReadonlyMap<string, PresentColumn>>

/** Reads the columns of the connection's database or schema, in one statement or two. */
export async function inspectColumns(catalogue: Catalogue, session: Session): Promise<PresentColumns> {
  const tables = new Map<string, Map<string, PresentColumn>>()
  const listed = (await readWhole(catalogue, session, catalogue.columns)) as [string, string, string][]
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
  const indexes = (await readWhole(catalogue, session, catalogue.indexes)) as IndexRow[]
  for (const row of indexes) addIndexColumn(tables.get(row[0]), row)
  const keys = (await readWhole(catalogue, session, catalogue.keys)) as [string, string, string, string, string][]
  for (const [table, key, column, target, onDelete] of keys)
    tables.get(table)?.keys.push({ name: key, column, table: target, onDelete })
  return tables
}

type IndexRow = [
  table: string,
  index: string,
  column: string | null,
  unique: unknown,
  descending: unknown,
  fault: PresentIndex['fault'] | null,
]

/** Adds the next column of an index to its table. */
function addIndexColumn(table: Mutable | undefined, [, name, column, unique, descending, fault]: IndexRow): void {
  if (table === undefined) return
  const last = table.indexes.at(-1)
  const isNext = last?.name === name
  const columns = [...(isNext ? last.columns : []), column ?? '']
  const descents = [...((isNext && last.descending) || []), ...(Number(descending) === 1 ? [column ?? ''] : [])]
  const index: PresentIndex = {
    name,
    columns,
    unique: Number(unique) === 1,
    ...(descents.length === 0 ? {} : { descending: descents }),
    ...(fault === null ? {} : { fault }),
  }
  table.indexes.splice(isNext ? -1 : table.indexes.length, isNext ? 1 : 0, index)
}

interface Mutable extends PresentTable {
  readonly indexes: PresentIndex[]
  readonly keys: PresentKey[]
}
