/**
 * The naive model's answer to a whole query: finds entries by `naive-filters.ts`, sorts them as the database does (nulls first,
 * on PostgreSQL last; equal entries by id) and cuts out the page (B-2.20 to B-2.46).
 */

import { testClient } from '../boot.ts'
import { type Family, type Root, type Row, type Scalar, type ShapeName, shapes } from './model.ts'
import { type Filter, finds } from './naive-filters.ts'
import { compare } from './values.ts'

export interface SortKey {
  readonly path: readonly string[]
  readonly descending: boolean
}

export type Page =
  | { readonly page?: number; readonly pageSize?: number }
  | { readonly start?: number; readonly limit?: number }

export interface Query {
  readonly root: Root
  readonly filters: Filter
  readonly sort: readonly SortKey[]
  readonly pagination: Page
}

export interface Answer {
  readonly ids: readonly number[]
  readonly pagination: Readonly<Record<string, number>>
}

const defaultLimit = 25
const nullsFirst = testClient() === 'postgres' ? -1 : 1

/** Follows to-one relations and single components; null if one of them is empty. */
function follow(root: ShapeName, row: Row, path: readonly string[]): { family: Family; value: Scalar | null } {
  let [shape, at]: [ShapeName, Row | null] = [root, row]
  for (const name of path.slice(0, -1)) {
    const join = shapes[shape].joins[name]
    if (join === undefined || join.many) throw new Error(`cannot sort through ${name}`)
    ;[shape, at] = [join.to, at?.links[name]?.[0] ?? null]
  }
  const name = path.at(-1)!
  if (name === 'id') return { family: 'integer', value: at?.id ?? null }
  return { family: shapes[shape].scalars[name]!, value: at?.values[name] ?? null }
}

export function order(root: ShapeName, sort: readonly SortKey[], left: Row, right: Row): number {
  for (const { path, descending } of sort) {
    const [a, b] = [follow(root, left, path), follow(root, right, path)]
    const nulls = (Number(b.value === null) - Number(a.value === null)) * nullsFirst
    const direction = a.value === null || b.value === null ? nulls : compare(a.family, a.value, b.value)
    if (direction !== 0) return descending ? -direction : direction
  }
  return left.id - right.id
}

export function answer(query: Query, rows: readonly Row[]): Answer {
  const found = rows
    .filter(row => finds(query.filters, query.root, row))
    .sort((a, b) => order(query.root, query.sort, a, b))
  const total = found.length
  const ids = (start: number, limit: number) => found.slice(start, start + limit).map(({ id }) => id)
  const { pagination } = query
  if ('start' in pagination || 'limit' in pagination) {
    const { start = 0, limit = defaultLimit } = pagination
    return { ids: ids(start, limit), pagination: { start, limit, total } }
  }
  const { page = 1, pageSize = defaultLimit } = pagination as { page?: number; pageSize?: number }
  const pageCount = Math.ceil(total / pageSize)
  return { ids: ids((page - 1) * pageSize, pageSize), pagination: { page, pageSize, pageCount, total } }
}
