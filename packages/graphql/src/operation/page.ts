// The page of a list, from its argument `pagination` (B-9.56 to B-9.61), and what an answer says about it.

import { PaginationError } from '@plinth/kernel'

/** The limits of lists. */
export interface PageRules {
  readonly defaultLimit: number
  /** The maximum number of items. */
  readonly cap: number
}

/** The page of a list. */
export interface Page {
  readonly start: number
  readonly limit: number
}

/** The argument, as the schema reads it. */
interface PaginationInput {
  readonly page?: number | null
  readonly pageSize?: number | null
  readonly start?: number | null
  readonly limit?: number | null
}

const isGiven = (value: number | null | undefined): value is number => value !== undefined && value !== null

/** The requested page. Throws PaginationError for a mixture of both forms (B-9.61). */
export function pageOf(input: PaginationInput | null | undefined, { defaultLimit, cap }: PageRules): Page {
  const { page, pageSize, start, limit } = input ?? {}
  const isByPage = isGiven(page) || isGiven(pageSize)
  if (isByPage && (isGiven(start) || isGiven(limit)))
    throw new PaginationError('Cannot use both page & offset pagination in the same query', 'pagination')
  const least = Math.min(defaultLimit, cap)
  if (!isByPage) return { start: Math.max(0, start ?? 0), limit: isGiven(limit) ? limitOf(limit, cap) : least }
  // The offset is that of the size that was asked for, also if the cap is lower (suite graphql-limits).
  const size = isGiven(pageSize) ? Math.max(1, pageSize) : least
  return { start: (Math.max(1, page ?? 1) - 1) * size, limit: Math.min(size, cap) }
}

/** -1: as many as there may be. */
function limitOf(limit: number, cap: number): number {
  return limit === -1 ? cap : Math.min(Math.max(1, limit), cap)
}

/** The members of `meta.pagination`, from the page and the number of all entries. */
export function pageMembers({ start, limit }: Page, total: number) {
  return {
    total,
    page: Math.floor(start / limit) + 1,
    pageSize: limit,
    pageCount: Math.ceil(total / limit),
  }
}

/** The members of `meta.pagination`. */
export type PageMembers = ReturnType<typeof pageMembers>
