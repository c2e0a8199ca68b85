// Parses params into { query, values }, for every transport. Independent of the model.

import { PaginationError, ValidationError } from '../errors.ts'
import { maxCostOf } from './max-cost.ts'
import { type PaginationRules, parsePagination } from './pagination.ts'
import type { Action, OwnMeta, Pagination, ParsedQuery, Query, Stage } from './query.ts'
import { parseSelection } from './selection.ts'
import { type Grammar, isRecord, ShapeBuilder } from './shape.ts'

/** The parameters of a query as transports pass them: REST's nested objects of text, or typed values. */
export type Params = Readonly<Record<string, unknown>>

/** What a transport decides about the queries it passes on. */
export interface ParseOptions {
  readonly uid: string
  readonly action: Action
  /** By default `read`, and `answer` for the actions of writes. */
  readonly stage?: Stage
  /** The id of the entry, for findOne. */
  readonly id?: unknown
  /** Null: the whole list, without a total. */
  readonly pagination: PaginationRules | null
  /** Whether entries have their own `meta`. */
  readonly meta?: OwnMeta
  /** Whether no parameter and no condition of a plugin hides the entries themselves. */
  readonly known?: boolean
  /** Whether private values are included; for the kernel's own reads. */
  readonly internal?: boolean
  /** Whether v3's paging keys are refused, as in lists of v4 (B-2.5). */
  readonly refuseLoosePaging?: boolean
}

/** Parses a query. Throws ValidationError and PaginationError. */
export function parseQuery(grammar: Grammar, params: Params, options: ParseOptions): ParsedQuery {
  const { uid, action, stage = stageOf(action) } = options
  const writer = new ShapeBuilder(grammar)
  if (options.refuseLoosePaging) refuseLoosePaging(params)
  const selection = parseSelection(writer, params, '', 0)
  const search = action === 'findOne' ? null : parseSearch(writer, params._q)
  const id = options.id === undefined ? null : writer.bindValue(options.id, 'id')
  const pagination =
    action === 'find' && options.pagination !== null ? parsePagination(params.pagination, options.pagination) : null
  const page = pagination === null || isEndless(pagination) ? null : parsePage(writer, pagination)
  const counted = action === 'count' || (pagination?.withCount ?? false)
  if (counted) writer.mark('|count')
  if (options.meta) writer.mark(options.meta === 'unread' ? '|meta unread' : '|meta')
  const internal = options.internal ?? false
  if (internal) writer.mark('|internal')
  const known = options.known ?? false
  if (known) writer.mark('|known')
  const maxCost = maxCostOf(params)
  if (maxCost !== null) writer.mark(`|cost ${maxCost}`)
  const mark = stage === stageOf(action) ? '' : ` ${stage}`
  const shape = `${uid} ${action}${mark}${id === null ? '' : ' id'}${writer.shape}`
  const meta = options.meta ?? false
  const query = { uid, action, stage, selection, search, id, page, counted, meta, known, internal, maxCost, shape }
  return { query, values: writer.values, pagination }
}

function stageOf(action: Action): Stage {
  return action === 'find' || action === 'findOne' || action === 'count' ? 'read' : 'answer'
}

/** Whether all entries are asked for, from the first one on (B-2.38). */
function isEndless({ start, limit }: Pagination): boolean {
  return limit === -1 && start === 0
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
    throw new ValidationError('Invalid value for _q: expected a string', { path: '_q' })
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
