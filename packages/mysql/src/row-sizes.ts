// Finds out whether a row can have certain columns, by a temporary table: how many bytes a text takes depends on the character
// set of the table, and what else a row may have on the format of its engine.

import { fieldsOf, type Session } from '@plinth/kernel/database'

/** The name of the temporary table. */
const trial = '`plinth_trial`'

/**
 * The number of columns that always fit: a row has 65,535 bytes, of which a text has at most 1,022; and a page takes 8,126 of them, in
 * which a text of one byte a letter stays with up to 257. Of a table that is there the bytes are not known, so it is always
 * tried.
 */
const certain = 25

/**
 * Returns why no row can have columns with these definitions, beside those of a table; null if one can, or if that
 * cannot be tried. `table` is quoted.
 */
export async function tryRow(
  session: Session,
  table: string | null,
  columns: readonly string[],
): Promise<string | null> {
  if (table === null && columns.length <= certain) return null
  const like = table === null ? '' : ` SELECT * FROM ${table} WHERE 1 = 0`
  // Neither statement commits: it is a table of this session alone.
  try {
    await session.all(`CREATE TEMPORARY TABLE ${trial} (${columns.join(', ')})${like}`, [])
  } catch (error) {
    // In a session that only reads, or without the right to make temporary tables, the change itself finds it out.
    return fieldsOf(error).code === 'ER_TOO_BIG_ROWSIZE' ? (error as Error).message.split('. You have')[0]! : null
  }
  await session.all(`DROP TEMPORARY TABLE IF EXISTS ${trial}`, [])
  return null
}
