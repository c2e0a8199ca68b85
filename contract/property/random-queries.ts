/**
 * Random queries: filters with every operator, through relations and components, sorts by several keys, and pages. They
 * contain only what the rules define: no two operators beside each other on a relation (B-2.115), no sort through
 * to-many relations (B-2.23).
 */

import fc from 'fast-check'
import { type Family, roots, type ShapeName, shapes } from './model.ts'
import type { Page, Query, SortKey } from './naive-answer.ts'
import type { Filter } from './naive-filters.ts'
import { fragments, pools } from './values.ts'

const ordered = ['$lt', '$lte', '$gt', '$gte']
const textual = [
  '$eqi',
  '$nei',
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
]

const record = (key: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Filter> =>
  value.map(operand => ({ [key]: operand }))
const anyOf = (keys: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.oneof(...keys.map(key => record(key, value)))
/** Never empty, because a query string cannot contain an empty list. */
const list = (value: fc.Arbitrary<unknown>) => fc.array(value, { minLength: 1, maxLength: 3 })

/** Conditions on one value: `{ $gt: 2 }`, or an operand alone. */
function conditions(family: Family): fc.Arbitrary<unknown> {
  const value = fc.constantFrom(...pools[family])
  const flag = anyOf(['$null', '$notNull'], fc.boolean())
  const equal = anyOf(
    ['$eq', '$ne'],
    fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
  )
  const among = anyOf(['$in', '$notIn'], list(value))
  const implicit = fc.oneof(value, list(value), fc.constant(null))
  const tests = [equal, among, flag]
  if (family !== 'boolean') {
    tests.push(anyOf(ordered, value), record('$between', fc.tuple(value, value)))
    tests.push(anyOf(['$eq', '$ne', ...ordered], list(value)))
  }
  if (family === 'text' || family === 'enumeration') {
    const part = fc.constantFrom<string>(...fragments, ...(pools[family] as string[]))
    tests.push(anyOf(textual, part), anyOf(textual, list(part)))
  }
  if (family === 'integer') tests.push(anyOf(textual, fc.constantFrom(0, 1, 2, 10)))
  const test = fc.oneof(...tests)
  const both = fc.tuple(test, test).map(([left, right]): Filter => ({ ...left, ...right }))
  const negated = record('$not', fc.oneof(test, both, value))
  return fc.oneof(
    { weight: 6, arbitrary: test },
    { weight: 1, arbitrary: both },
    { weight: 1, arbitrary: negated },
    { weight: 1, arbitrary: implicit },
  )
}

/** Conditions on a relation or component itself: its id, or whether there is one (B-2.111 to B-2.114). */
function identities(): fc.Arbitrary<unknown> {
  const id = fc.integer({ min: 1, max: 12 })
  return fc.oneof(
    id,
    list(id),
    fc.constant(null),
    anyOf(['$eq', '$ne', ...ordered], id),
    anyOf(['$in', '$notIn'], list(id)),
    anyOf(['$null', '$notNull'], fc.boolean()),
    record('id', anyOf(['$null', '$notNull'], fc.boolean())),
    record('id', fc.oneof(id, anyOf(['$ne', '$gt'], id), record('$notIn', list(id)))),
  )
}

const cache = new Map<string, fc.Arbitrary<Filter>>()

/** Filters on a type, with up to `depth` levels of relations, components and logical operators. */
export function filters(shape: ShapeName, depth: number): fc.Arbitrary<Filter> {
  const known = cache.get(`${shape} ${depth}`)
  if (known !== undefined) return known
  const { scalars, joins } = shapes[shape]
  const fields = Object.entries(scalars).map(([name, family]) => record(name, conditions(family)))
  const field = fc.oneof(...fields, record('id', conditions('integer')))
  const parts = [{ weight: 4, arbitrary: field }]
  if (Object.keys(joins).length > 0) {
    parts.push({ weight: 1, arbitrary: fc.oneof(...Object.keys(joins).map(name => record(name, identities()))) })
  }
  if (depth > 0) {
    const inside = filters(shape, depth - 1)
    const nested = Object.entries(joins).map(([name, { to }]) => record(name, filters(to, depth - 1)))
    if (nested.length > 0) parts.push({ weight: 4, arbitrary: fc.oneof(...nested) })
    parts.push({ weight: 2, arbitrary: anyOf(['$and', '$or'], fc.array(inside, { minLength: 1, maxLength: 3 })) })
    parts.push({
      weight: 2,
      arbitrary: record('$not', fc.oneof(inside, fc.array(inside, { minLength: 1, maxLength: 2 }))),
    })
    parts.push({
      weight: 1,
      arbitrary: fc.tuple(inside, field).map(([left, right]): Filter => ({ ...left, ...right })),
    })
  }
  const made = fc.oneof(...parts)
  cache.set(`${shape} ${depth}`, made)
  return made
}

/** Paths to a scalar through to-one relations and single components. */
function sortPaths(shape: ShapeName, depth: number): string[][] {
  const { scalars, joins } = shapes[shape]
  const own = ['id', ...Object.keys(scalars)].map(name => [name])
  if (depth === 0) return own
  const single = Object.entries(joins).filter(([, { many }]) => !many)
  return [...own, ...single.flatMap(([name, { to }]) => sortPaths(to, depth - 1).map(path => [name, ...path]))]
}

/** Up to three sort keys. */
export const sorts = (shape: ShapeName): fc.Arbitrary<SortKey[]> =>
  fc.array(fc.record({ path: fc.constantFrom(...sortPaths(shape, 2)), descending: fc.boolean() }), { maxLength: 3 })

const size = fc.constantFrom(1, 2, 3, 7, 25, 100)
const pages: fc.Arbitrary<Page> = fc.oneof(
  fc.record({ page: fc.integer({ min: 1, max: 4 }), pageSize: size }, { requiredKeys: [] }),
  fc.record({ start: fc.integer({ min: 0, max: 9 }), limit: size }, { requiredKeys: ['limit'] }),
  fc.record({ start: fc.integer({ min: 0, max: 9 }) }),
)

export function queries(): fc.Arbitrary<Query> {
  const root = fc.constantFrom(...roots, 'book' as const, 'book' as const)
  return root.chain(root =>
    fc.record({
      root: fc.constant(root),
      filters: fc.oneof({ weight: 9, arbitrary: filters(root, 3) }, { weight: 1, arbitrary: fc.constant({}) }),
      sort: sorts(root),
      pagination: pages,
    }),
  )
}
