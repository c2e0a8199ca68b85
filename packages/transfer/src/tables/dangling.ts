// Finds references to rows that are not there. Foreign keys forbid them, but tables of hand-made SQL, of MyISAM, and of SQLite
// without foreign keys have none. No answer of an API can contain them, and a database with foreign keys cannot store them.

import type { Registry, Session } from '@plinth/kernel'
import { type Dialect, places } from '@plinth/kernel/tables'
import type { TransferReference, TransferRow, TransferTable } from './tables.ts'

/** The place in which references are looked up. */
export interface Lookup {
  readonly dialect: Dialect
  readonly contentTypes: Registry
  readonly session: Session
}

/** A reference of a row to a row that is not there. */
export interface DanglingReference {
  readonly row: TransferRow
  readonly name: string
  /** The table that lacks the row; null if the row of a link names no type, or one that is gone. */
  readonly target: string | null
  /** Null if the row of a link names no id. */
  readonly id: number | null
}

/**
 * Returns the references of rows of one table that lead to no row, as far as the rows have the columns. In a row of a link,
 * a reference that is null is one of them; an entry without a reference is whole.
 */
export async function danglingIn(
  lookup: Lookup,
  table: TransferTable,
  rows: readonly TransferRow[],
): Promise<DanglingReference[]> {
  const dangling: DanglingReference[] = []
  for (const reference of table.references) {
    const referring = rows.filter(
      row => row[reference.name] !== undefined && !(table.hasIds && idIn(row, reference) === null),
    )
    const byTarget = Map.groupBy(referring, row => targetOf(lookup, table, { reference, row }))
    for (const [target, same] of byTarget) {
      const ids = same.map(row => idIn(row, reference)).filter(id => id !== null)
      const present = target === null ? new Set<number>() : await presentIn(lookup, target, ids)
      for (const row of same) {
        const id = idIn(row, reference)
        if (id === null || !present.has(id)) dangling.push({ row, name: reference.name, target, id })
      }
    }
  }
  return dangling
}

const idIn = (row: TransferRow, { name }: TransferReference) => (row[name] === null ? null : Number(row[name]))

/** Returns the table that a reference leads to; null if its type is gone. */
function targetOf(
  { contentTypes }: Lookup,
  { uidColumn }: TransferTable,
  { reference, row }: { readonly reference: TransferReference; readonly row: TransferRow },
): string | null {
  return reference.table ?? contentTypes.get(String(row[uidColumn!]))?.table ?? null
}

/** The maximum number of ids in one statement. */
const maxIds = 1024

/** Returns those of the ids that a table has. */
async function presentIn({ dialect, session }: Lookup, table: string, ids: readonly number[]): Promise<Set<number>> {
  const present = new Set<number>()
  const distinctIds = [...new Set(ids)]
  for (let at = 0; at < distinctIds.length; at += maxIds) {
    const part = distinctIds.slice(at, at + maxIds)
    // A power of two, so that few texts of statements are prepared.
    const padded = [...part, ...Array<number>(2 ** Math.ceil(Math.log2(part.length)) - part.length).fill(part[0]!)]
    const id = dialect.quote('id')
    const text = `SELECT ${id} FROM ${dialect.quote(table)} WHERE ${id} IN (${places(padded.length)})`
    for (const [one] of await session.all(dialect.finish(text), padded)) present.add(Number(one))
  }
  return present
}
