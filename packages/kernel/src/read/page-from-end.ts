// Decides whether a page is found from the end of its list, which is nearer to most deep pages: a database visits every
// entry before a page. Does not know whether the total of which it is told is still true.

import type { BoundStatement } from '../connection/session.ts'
import type { Context } from '../context.ts'
import type { ParsedQuery } from '../query/query.ts'
import type { RowCount } from '../row-count.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import { bind } from '../sql/statement.ts'

/** The entries that must be left out for a page to be found from the end: fewer cost less than another statement. */
const minSaved = 1000

/** The values with which a page is bound. */
interface PageValues {
  readonly parsed: ParsedQuery
  readonly context: Context
  readonly rowCount: RowCount
}

/** Returns whether a page may be so deep that it is worth remembering the length of its list. */
export function isDeep({ pagination }: ParsedQuery): boolean {
  return pagination !== null && pagination.start >= minSaved
}

/**
 * Returns the statement that finds a page from the end of a list of `total` entries; `isCounted`: its rows end in the total.
 * Null if the beginning of the list is about as near, or if the page is not to be read as a whole.
 */
export function pageFromEnd(
  compiled: CompiledPlan,
  page: PageValues,
  { total, isCounted }: { readonly total: number; readonly isCounted: boolean },
): BoundStatement | null {
  const { parsed, context, rowCount } = page
  const { pagination, query } = parsed
  if (compiled.fromEnd === null || pagination === null || query.page === null) return null
  const { start, limit } = pagination
  const rows = Math.min(limit, total - start)
  const behind = total - start - rows
  if (rows <= 0 || rows > rowCount.left || start - behind < minSaved) return null
  const values = [...parsed.values]
  values[query.page.start] = behind
  values[query.page.limit] = rows
  const statement = compiled.fromEnd(isCounted)
  return { text: statement.text, values: bind(statement, values, context, null, rowCount.left) }
}
