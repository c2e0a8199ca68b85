// Params → { query, values }: the one reader of questions, used by every door. Knows syntax, not the model.

import { PaginationError, ValidationError } from '../errors.ts'
import { type PaginationRules, parsePagination } from './pagination.ts'
import type { Action, Pagination, ParsedQuery, Query } from './query.ts'
import { parseSelection } from './selection.ts'
import { type Grammar, isRecord, ShapeBuilder } from './shape.ts'

/** The parameters of a question as doors hand them over: REST's nested objects of text, or typed values. */
export type Params = Readonly<Record<string, unknown>>

/** What a door decides about the questions it passes on. */
export interface ParseOptions {
  readonly uid: string
  readonly action: Action
  /** The wanted entry, for findOne. */
  readonly id?: unknown
  /** Null: the whole list, uncounted. */
  readonly pagination: PaginationRules | null
  /** Should entries carry their own `meta`? */
  readonly meta?: boolean
  /** Show private values; for the kernel's own reads. */
  readonly internal?: boolean
  /** Refuse v3's paging keys, as lists of v4 do (B-2.5). */
  readonly refuseLoosePaging?: boolean
}

/** Reads a question. Throws ValidationError and PaginationError. */
export function parseQuery(grammar: Grammar, params: Params, options: ParseOptions): ParsedQuery {
  const { uid, action } = options
  const writer = new ShapeBuilder(grammar)
  if (options.refuseLoosePaging) refuseLoosePaging(params)
  const selection = parseSelection(writer, params, '', 0)
  const search = action === 'findOne' ? null : parseSearch(writer, params._q)
  const id = options.id === undefined ? null : writer.bindValue(options.id, 'id')
  const pagination =
    action === 'find' && options.pagination !== null ? parsePagination(params.pagination, options.pagination) : null
  const page = pagination === null || pagination.limit === -1 ? null : parsePage(writer, pagination)
  const counted = action === 'count' || (pagination?.withCount ?? false)
  if (counted) writer.mark('|count')
  if (options.meta) writer.mark('|meta')
  const internal = options.internal ?? false
  if (internal) writer.mark('|internal')
  const shape = `${uid} ${action}${id === null ? '' : ' id'}${writer.shape}`
  const query = { uid, action, selection, search, id, page, counted, meta: options.meta ?? false, internal, shape }
  return { query, values: writer.values, pagination }
}

function parsePage(writer: ShapeBuilder, pagination: Pagination): NonNullable<Query['page']> {
  writer.mark('|page')
  return {
    start: writer.bindValue(pagination.start, 'pagination'),
    limit: writer.bindValue(pagination.limit, 'pagination'),
  }
}

function parseSearch(writer: ShapeBuilder, value: unknown): Query['search'] {
  if (value === undefined || value === null || value === '') return null
  if (isRecord(value) || Array.isArray(value) || typeof value === 'symbol')
    throw new ValidationError('Invalid value for _q: expected text', { path: '_q' })
  const isNumeric = String(value).trim() !== '' && Number.isFinite(Number(value))
  writer.mark(isNumeric ? '|search#' : '|search')
  return { slot: writer.bindValue(String(value), '_q'), isNumeric }
}

function refuseLoosePaging(params: Params): void {
  for (const key of ['page', 'pageSize', 'start', 'limit']) {
    if (params[key] === undefined) continue
    throw new PaginationError(
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
      key,
    )
  }
}
