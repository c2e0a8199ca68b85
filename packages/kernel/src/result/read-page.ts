// Declares a page that was read, as observers receive it.

import type { ListSearch } from '../plan/list-search.ts'

/** A page of a list, or a count of one, that was read from the database. */
export interface ReadPage {
  /** The sorting and the filters of the list: one object for all lists of a shape. */
  readonly search: ListSearch
  /**
   * Milliseconds until the entries of the page were there, with the total if this request has counted it; without what is
   * populated, and without the time to get a connection.
   */
  readonly milliseconds: number
  /** The number of entries of all pages; null if it was not requested. */
  readonly total: number | null
}
