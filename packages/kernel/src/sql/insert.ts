// The text of an INSERT of one row, as all databases have it. Must not know which database it is for.

import type { Dialect } from './dialect.ts'

interface InsertedRow {
  readonly dialect: Pick<Dialect, 'quote'>
  readonly table: string
  readonly columns: readonly string[]
  /** What stands for the columns and values of a row of defaults. */
  readonly defaults: string
  /** The columns that are given back; null for none. */
  readonly returning: string | null
}

/** `INSERT INTO table (columns) VALUES (?, …)`. */
export function insertText({ dialect, table, columns, defaults, returning }: InsertedRow): string {
  const values =
    columns.length === 0
      ? defaults
      : `(${columns.map(name => dialect.quote(name)).join(', ')}) VALUES (${places(columns.length)})`
  const insert = `INSERT INTO ${dialect.quote(table)} ${values}`
  return returning === null ? insert : `${insert} RETURNING ${returning}`
}

/** So many places for bound values. */
export function places(count: number): string {
  return Array(count).fill('?').join(', ')
}
