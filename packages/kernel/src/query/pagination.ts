// Parses the `pagination` clause (B-2.30 to B-2.48).

import { ValidationError } from '../errors.ts'
import { isPlainRecord } from '../record.ts'
import type { Pagination } from './query.ts'

/** The paging rules of a transport. */
export interface PaginationRules {
  readonly defaultLimit: number
  /** Null: no maximum. */
  readonly maxLimit: number | null
  readonly withCount: boolean
}

/** The requested page. Throws ValidationError for mixed modes and for values that are not whole numbers. */
export function parsePagination(value: unknown, rules: PaginationRules): Pagination {
  const parameters = isPlainRecord(value) ? value : {}
  const byPage = parameters.page !== undefined || parameters.pageSize !== undefined
  const byOffset = parameters.start !== undefined || parameters.limit !== undefined
  if (byPage && byOffset) {
    const message = 'Invalid pagination parameters. Expected either start/limit or page/pageSize'
    throw new ValidationError(message, undefined, 'pagination')
  }
  const withCount = parameters.withCount === undefined ? rules.withCount : parseWithCount(parameters.withCount)
  if (byOffset) {
    const start = Math.max(0, integer(parameters.start, 0, 'start'))
    const limit = clampLimit(integer(parameters.limit, rules.defaultLimit, 'limit'), rules.maxLimit)
    return { mode: 'offset', page: 0, pageSize: 0, start, limit, withCount }
  }
  const page = Math.max(1, integer(parameters.page, 1, 'page'))
  const requestedSize = Math.max(1, integer(parameters.pageSize, rules.defaultLimit, 'pageSize'))
  const pageSize = rules.maxLimit === null ? requestedSize : Math.min(requestedSize, rules.maxLimit)
  return { mode: 'page', page, pageSize, start: (page - 1) * pageSize, limit: pageSize, withCount }
}

function clampLimit(limit: number, maxLimit: number | null): number {
  if (limit === -1) return maxLimit ?? -1
  const positive = Math.max(1, limit)
  return maxLimit === null ? positive : Math.min(positive, maxLimit)
}

/** A larger offset finds nothing anyway; this limit keeps products within what databases accept. */
const maxNumber = 2 ** 52

function integer(value: unknown, fallback: number, key: string): number {
  if (value === undefined) return fallback
  if (value === null || value === '') return 0
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  if (!Number.isInteger(number)) {
    const path = `pagination.${key}`
    throw new ValidationError(`Invalid value for ${path}: expected a whole number`, { path })
  }
  return Math.min(number, maxNumber)
}

function parseWithCount(value: unknown): boolean {
  // Conversions of objects may throw.
  const text = typeof value === 'object' ? '' : String(value)
  if (['true', 't', '1'].includes(text)) return true
  if (['false', 'f', '0'].includes(text)) return false
  const message = 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'
  throw new ValidationError(message, undefined, 'pagination.withCount')
}

/** The `meta.pagination` of an answer (B-2.30 to B-2.33). */
export function pageInfo(pagination: Pagination, total: number | null): Record<string, number> {
  const { mode, page, pageSize, start, limit } = pagination
  if (mode === 'offset') return total === null ? { start, limit } : { start, limit, total }
  if (total === null) return { page, pageSize }
  return { page, pageSize, pageCount: Math.ceil(total / pageSize), total }
}
