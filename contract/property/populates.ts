/**
 * Random populate trees, and what the naive model answers for them (B-2.60 to B-2.85): the stored order unless a sort
 * is given, filters that do not remove the parent, `start` and `limit` per parent.
 */

import fc from 'fast-check'
import { type Row, roots, type Shape, type ShapeName, shapes } from './model.ts'
import { order, type SortKey } from './naive-answer.ts'
import { type Filter, finds } from './naive-filters.ts'
import { filters, sorts } from './random-queries.ts'

export interface Branch {
  readonly filters?: Filter
  readonly sort?: readonly SortKey[]
  readonly start?: number
  readonly limit?: number
  readonly populate?: Tree
}
export type Tree = { readonly [name: string]: Branch }

const isEntry = (shape: ShapeName) => roots.some(root => root === shape)

function branches({ to: shape, many }: Shape['joins'][string], depth: number): fc.Arbitrary<Branch> {
  const populate = depth === 0 ? {} : { populate: trees(shape, depth - 1) }
  if (!isEntry(shape)) return fc.record<Branch>(populate, { requiredKeys: [] })
  const page = many ? { start: fc.integer({ min: 0, max: 3 }), limit: fc.integer({ min: 1, max: 4 }) } : {}
  // By id last, because the order of equal populated entries is not defined.
  const sort = sorts(shape).map(keys => [...keys, { path: ['id'], descending: false }])
  return fc.record<Branch>({ ...populate, ...page, filters: filters(shape, 1), sort }, { requiredKeys: [] })
}

/** Trees with up to `depth` further levels and three branches at each level, because the cost of a query is limited. */
export function trees(shape: ShapeName, depth: number): fc.Arbitrary<Tree> {
  const names = Object.keys(shapes[shape].joins)
  return fc.subarray(names, { maxLength: Math.min(3, names.length) }).chain(chosen => {
    const below = chosen.map(name => [name, branches(shapes[shape].joins[name]!, depth)] as const)
    return fc.record(Object.fromEntries(below)) as fc.Arbitrary<Tree>
  })
}

/** The `populate` parameter of a tree. */
export function toPopulate(tree: Tree): Record<string, unknown> {
  const asked = Object.entries(tree).map(([name, { sort, populate, ...rest }]) => {
    const words = sort?.map(({ path, descending }) => `${path.join('.')}:${descending ? 'desc' : 'asc'}`)
    const branch = { ...rest, ...(words && { sort: words }), ...(populate && { populate: toPopulate(populate) }) }
    return [name, Object.keys(branch).length === 0 ? true : branch]
  })
  return Object.fromEntries(asked)
}

export type Hung = { readonly id: number; readonly [name: string]: unknown }

/** An entry with the nested entries of the tree, each reduced to its id. */
export function hang(shape: ShapeName, row: Row, tree: Tree): Hung {
  const hung = Object.entries(tree).map(([name, branch]) => {
    const { to, many } = shapes[shape].joins[name]!
    const { filters, sort, start = 0, limit, populate = {} } = branch
    let rows = row.links[name]!.filter(linked => filters === undefined || finds(filters, to, linked))
    if (sort !== undefined) rows = rows.toSorted((a, b) => order(to, sort, a, b))
    if (many) rows = rows.slice(start, limit === undefined ? undefined : start + limit)
    const entries = rows.map(linked => hang(to, linked, populate))
    return [name, many ? entries : (entries[0] ?? null)]
  })
  return { id: row.id, ...Object.fromEntries(hung) }
}

/** The same of an entry that Plinth answered. */
export function strip(entry: unknown, tree: Tree): Hung {
  const { id, ...values } = entry as Hung
  const hung = Object.entries(tree).map(([name, { populate = {} }]) => {
    const value = values[name]
    if (Array.isArray(value)) return [name, value.map(each => strip(each, populate))]
    return [name, value === null || value === undefined ? value : strip(value, populate)]
  })
  return { id, ...Object.fromEntries(hung) }
}
