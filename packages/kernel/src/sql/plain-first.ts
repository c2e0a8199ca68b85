// Decides how the lists of a branch with a page are asked for: plainly, all parents' lists in one, of which what is
// beyond the page is dropped here; or by rank, where the database numbers the rows of each parent. Ranks are dear, and
// most lists are short. Knows how to choose between the statements, but neither sessions nor the rows' columns.

import type { Slot } from '../query/query.ts'
import type { Statement } from './statement.ts'

/** The number of fetches that go by rank after lists were too long; then one asks plainly again. */
const fetchesByRank = 64

/** The maximum number of rows that are asked for plainly. */
const maxPlainRows = 10_000

/** The slots of offset and limit. */
interface Page {
  readonly start: Slot
  readonly limit: Slot
}

/** A row ends in its parent's id. */
type Row = readonly unknown[]

/** Returns the maximum number of rows from which the pages of all parents come. */
export function rowsOfPages(page: Page, parents: number, values: readonly unknown[]): number {
  return parents * ((values[page.start] as number) + (values[page.limit] as number))
}

/** The plain statement of a branch with a page, and whether it is the right one to run. */
export class PlainFirst {
  /** Orders its rows by parent, and has room for one row more than those of all pages. */
  readonly statement: Statement
  readonly #page: Page
  /** The number of further fetches by rank. */
  #byRank = 0

  constructor(statement: Statement, page: Page) {
    this.statement = statement
    this.#page = page
  }

  /** Returns whether the lists of so many parents are asked for plainly this time. Call it once for each fetch. */
  isChosen(parents: number, values: readonly unknown[]): boolean {
    const limit = values[this.#page.limit] as number
    // A page further back would be found by dropping most rows; -1 means all, and 0 none.
    if (limit <= 0 || (values[this.#page.start] as number) > limit) return false
    if (rowsOfPages(this.#page, parents, values) > maxPlainRows) return false
    if (this.#byRank === 0) return true
    this.#byRank--
    return false
  }

  /**
   * The rows of the pages, from the rows of the plain statement; null if these are not all rows, so that the lists must
   * be asked for by rank. The next fetches go by rank then.
   */
  cut<R extends Row>(rows: R[], parents: number, values: readonly unknown[]): R[] | null {
    if (rows.length > rowsOfPages(this.#page, parents, values)) {
      this.#byRank = fetchesByRank
      return null
    }
    const start = values[this.#page.start] as number
    const end = start + (values[this.#page.limit] as number)
    let parent: unknown
    let rank = 0
    return rows.filter(row => {
      const of = row.at(-1)
      rank = of === parent ? rank + 1 : 0
      parent = of
      return rank >= start && rank < end
    })
  }
}
