// Parses a request into { query, values }, for every transport. Independent of the model.

import { PaginationError, ValidationError } from '../errors.ts'
import { isPlainRecord } from '../record.ts'
import { maxCostOf } from './max-cost.ts'
import { parsePagination } from './pagination.ts'
import type { Action, Pagination, ParsedQuery, Query, Slot, Stage } from './query.ts'
import type { RefusedParts } from './refused-parts.ts'
import type { Params, ReadRequest } from './request.ts'
import { parseSelection } from './selection.ts'
import { type Grammar, ShapeBuilder } from './shape.ts'
import { UnknownNames } from './unknown-names.ts'

/** The part of a request that the parser uses: all but the rights. */
type ParseRequest = Omit<ReadRequest<Action>, 'isAuthorized' | 'isPartial'>

/** Parses a query, without the parts that `refused` collects, if it is given. Throws ValidationError and PaginationError. */
export function parseQuery(grammar: Grammar, request: ParseRequest, refused: RefusedParts | null = null): ParsedQuery {
  const { uid, action, params, entries, meta = false, internal = false, stage = stageOf(action) } = request
  const { refuseUnknown = false } = request
  const isChecked = refuseUnknown || (grammar.isRemarked === true && !internal)
  const unknown = isChecked ? new UnknownNames(refuseUnknown, grammar.parameters) : null
  const writer = new ShapeBuilder(grammar, refused, unknown)
  if (request.refuseLoosePaging) refuseLoosePaging(params)
  unknown?.checkRoot(params)
  const selection = parseSelection(writer, params, '', 0)
  const isNamed = action === 'findOne' || entries !== undefined
  const search = isNamed ? null : parseSearch(writer, params._q)
  const id = request.id === undefined ? null : writer.bindValue(request.id, 'id')
  const ids = entries === undefined ? null : bindIds(writer, entries.ids)
  const rules = request.pagination ?? null
  const pagination = action === 'find' && rules !== null ? parsePagination(params.pagination, rules) : null
  const page = pagination === null || isEndless(pagination) ? null : parsePage(writer, pagination)
  const counted = action === 'count' || (pagination?.withCount ?? false)
  if (counted) writer.mark('|count')
  if (meta) writer.mark(meta === 'unread' ? '|meta unread' : '|meta')
  if (internal) writer.mark('|internal')
  if (refuseUnknown) writer.mark('|strict')
  const maxCost = maxCostOf(params)
  if (maxCost !== null) writer.mark(`|cost ${maxCost}`)
  const mark = stage === stageOf(action) ? '' : ` ${stage}`
  const shape = `${uid} ${action}${mark}${id === null ? '' : ' id'}${writer.shape}`
  const query = { uid, action, stage, selection, search, id, ids, page, counted, meta, internal, maxCost, shape }
  const parsed = { query, values: writer.values, pagination }
  if (unknown === null) return parsed
  return { ...parsed, query: { ...query, refusesUnknown: refuseUnknown }, remarks: unknown.remarks }
}

function bindIds(writer: ShapeBuilder, ids: readonly number[]): Slot {
  writer.mark('|ids')
  return writer.bindValue(ids, 'ids')
}

function stageOf(action: Action): Stage {
  return action === 'find' || action === 'findOne' || action === 'count' ? 'read' : 'answer'
}

/** Returns whether all entries are asked for, from the first one on (B-2.38). */
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
  if (isPlainRecord(value) || Array.isArray(value) || typeof value === 'symbol')
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
