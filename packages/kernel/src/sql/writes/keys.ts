// Compiles the statements on a relation that is stored in a column of one of its two tables.

import type { Dialect } from '../dialect.ts'

/** Statements of a column that holds the id of a linked entry. */
export interface KeyStatements {
  /** Selects the entry that a row links to. */
  readonly read: string
  /** Links a row to an entry. */
  readonly link: string
  /** Unlinks an entry from all rows except one. */
  readonly take: string
  /** Selects the rows that link to an entry. */
  readonly readInverse: string
  /** Unlinks an entry from all rows. */
  readonly clear: string
  /** Links a list of rows to an entry. */
  readonly linkInverse: string
}

/** `table` has the column. */
export function keyStatements(dialect: Dialect, table: string, column: string): KeyStatements {
  const [from, key, id] = [table, column, 'id'].map(name => dialect.quote(name)) as [string, string, string]
  const finish = (text: string) => dialect.finish(text)
  return {
    read: finish(`SELECT ${key} FROM ${from} WHERE ${id} = ?`),
    link: finish(`UPDATE ${from} SET ${key} = ? WHERE ${id} = ?`),
    take: finish(`UPDATE ${from} SET ${key} = NULL WHERE ${key} = ? AND ${id} <> ?`),
    readInverse: finish(`SELECT ${id} FROM ${from} WHERE ${key} = ? ORDER BY ${id}`),
    clear: finish(`UPDATE ${from} SET ${key} = NULL WHERE ${key} = ?`),
    linkInverse: finish(`UPDATE ${from} SET ${key} = ? WHERE ${dialect.within(id)}`),
  }
}
