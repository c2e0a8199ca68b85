// Builds the statement that locks rows of one table, for databases with several writers.

import type { Dialect } from './dialect.ts'

/** The mode in which rows are locked (Dialect.rowLocks). */
export type LockMode = keyof NonNullable<Dialect['rowLocks']>

/** Locks rows of a table by a bound list of ids, in the order of the ids, and returns the ids found. */
export function lockText(dialect: Dialect, table: string, mode: LockMode): string {
  const id = dialect.quote('id')
  const where = `WHERE ${dialect.within(id)} ORDER BY ${id} ${dialect.rowLocks![mode]}`
  return dialect.finish(`SELECT ${id} FROM ${dialect.quote(table)} ${where}`)
}
