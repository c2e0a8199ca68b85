// Compiles the statement that sets a column of several rows, each to a value of its own.

import type { Dialect } from '../dialect.ts'
import { places } from '../insert.ts'

/** The column that is set, and the number of rows. */
interface StampedColumn {
  readonly table: string
  readonly column: string
  readonly count: number
}

/**
 * Takes the id and the value of each row, then all ids. The column itself, as the last case, gives the values its type
 * on databases that would otherwise read them as text.
 */
export function stampText(dialect: Dialect, { table, column, count }: StampedColumn): string {
  const [rows, set, id] = [table, column, 'id'].map(name => dialect.quote(name)) as [string, string, string]
  const cases = Array(count).fill('WHEN ? THEN ?').join(' ')
  return dialect.finish(
    `UPDATE ${rows} SET ${set} = CASE ${id} ${cases} ELSE ${set} END WHERE ${id} IN (${places(count)})`,
  )
}
