// Builds the text of an INSERT of one row, which is the same on all databases.

import type { Dialect } from './dialect.ts'

interface InsertedRow {
  readonly dialect: Pick<Dialect, 'quote'>
  readonly table: string
  readonly columns: readonly string[]
  /** Replaces the columns and values if a row has only defaults. */
  readonly defaults: string
  /** The returned columns; null for none. */
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

/** A list of `count` placeholders. */
export function places(count: number): string {
  return Array(count).fill('?').join(', ')
}
