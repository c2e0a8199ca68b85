// Converts parameters to those of v4's database layer, which lifecycles receive and may change (B-10.71), and back.

import { isDeepStrictEqual } from 'node:util'
import { type PaginationRules, parsePagination } from '../query/pagination.ts'
import { Under, under } from '../query/populate-options.ts'
import type { Params } from '../query/request.ts'
import { isPlainRecord } from '../record.ts'

export type DatabaseParams = Record<string, unknown>

/** Copies the parameters, which lifecycles may change in place, and which transports keep for further requests. */
export function toDatabaseParams(params: Params, id?: unknown, rules: PaginationRules | null = null): DatabaseParams {
  const { fields, sort, populate, filters } = params
  const where = id === undefined ? filters : { ...(filters as object | undefined), id }
  return { ...(copy({ where, select: fields, orderBy: sort, populate }) as object), ...cutOf(params.pagination, rules) }
}

/** The parameters with the changes of lifecycles. `sent` is what lifecycles were given. The id does not change. */
export function fromDatabaseParams(
  params: Params,
  changed: DatabaseParams,
  sent: DatabaseParams,
  id?: unknown,
): Params {
  const { where, select, orderBy, populate, limit, offset } = changed
  const isCut = !Object.is(limit, sent.limit) || !Object.is(offset, sent.offset)
  const pagination = isCut ? toPagination(params.pagination, limit, offset) : params.pagination
  const filters = id === undefined ? where : params.filters
  return { ...params, filters, fields: select, sort: orderBy, populate, pagination }
}

/** The condition with which a lifecycle replaced the one it was given; null if it did not replace it. */
export function changedWhere(changed: DatabaseParams, sent: DatabaseParams): Record<string, unknown> | null {
  const { where } = changed
  return isPlainRecord(where) && !isDeepStrictEqual(where, sent.where) ? where : null
}

/** v4 gives limit and offset, whichever keys were sent. Without rules, `page` counts only together with `pageSize`. */
function cutOf(pagination: unknown, rules: PaginationRules | null): { limit: unknown; offset: unknown } {
  if (rules !== null) {
    const { limit, start } = parsePagination(pagination, rules)
    return { limit, offset: start }
  }
  const { page = 1, pageSize, limit, start } = isPlainRecord(pagination) ? pagination : {}
  if (pageSize === undefined) return { limit, offset: start }
  return { limit: Number(pageSize), offset: (Math.max(1, Number(page)) - 1) * Number(pageSize) }
}

/** Pages if the query used pages and the offset is still a multiple of the size, because answers repeat the form. */
function toPagination(pagination: unknown, limit: unknown, offset: unknown): Record<string, unknown> {
  const { page, pageSize, withCount } = isPlainRecord(pagination) ? pagination : {}
  const counts = withCount === undefined ? {} : { withCount }
  const [size, start] = [Number(limit), Number(offset ?? 0)]
  if ((page !== undefined || pageSize !== undefined) && size > 0 && start % size === 0)
    return { page: start / size + 1, pageSize: size, ...counts }
  return { ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { start: offset }), ...counts }
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (value instanceof Under) return under(value.name, copy(value.options) as object)
  if (!isPlainRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]))
}
