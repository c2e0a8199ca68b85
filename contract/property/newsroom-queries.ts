/**
 * Random queries on the model of newsroom.ts: a locale, a publication state, filters and sort keys through relations,
 * and populate trees with filters, sort keys, pages and counts of their own.
 */

import fc from 'fast-check'
import { locales, type Root, roots, type ShapeName, shapes, words } from './newsroom.ts'

type Params = Readonly<Record<string, unknown>>

export interface NewsroomQuery {
  readonly root: Root
  readonly params: Params
}

const id = fc.integer({ min: 1, max: 30 })
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 4 })

function tests(shape: ShapeName): fc.Arbitrary<Params> {
  const { texts, numbers, drafts, plural } = shapes[shape]
  const values = (name: string) => (name === 'locale' ? locales : words)
  const nothing = fc.constantFrom({ $null: true }, { $null: false }, { $notNull: true })
  const of = (name: string, test: fc.Arbitrary<unknown>) => test.map(said => ({ [name]: said }))
  const text = (name: string) => {
    const value = fc.constantFrom<string>(...values(name))
    const operator = fc.constantFrom('$eq', '$ne', '$contains', '$notContains', '$gt', '$lte', '$startsWith')
    return fc.oneof(
      of(name, value),
      of(
        name,
        fc.tuple(operator, value).map(([key, one]) => ({ [key]: one })),
      ),
      of(name, nothing),
    )
  }
  const number = (name: string) => {
    const operator = fc.constantFrom('$eq', '$ne', '$lt', '$gte')
    return fc.oneof(
      of(
        name,
        fc.tuple(operator, fc.integer({ min: 0, max: 3 })).map(([key, one]) => ({ [key]: one })),
      ),
      of(name, nothing),
    )
  }
  const identity = fc.oneof(
    of('id', id),
    of(
      'id',
      ids.map($in => ({ $in })),
    ),
    of(
      'id',
      ids.map($notIn => ({ $notIn })),
    ),
    of(
      'id',
      id.map($gt => ({ $gt })),
    ),
  )
  const state = of('publishedAt', fc.oneof(nothing, fc.constant({ $lt: '2030-01-01' })))
  return fc.oneof(
    ...texts.map(text),
    ...numbers.map(number),
    ...(plural === null ? [] : [identity]),
    ...(drafts ? [state] : []),
  )
}

export function filters(shape: ShapeName, depth: number): fc.Arbitrary<Params> {
  if (depth === 0) return tests(shape)
  const joins = Object.entries(shapes[shape].joins).map(([name, { to }]) => {
    const inside = filters(to, depth - 1)
    if (shapes[to].plural === null) return inside.map(said => ({ [name]: said }))
    const nothing = fc.constantFrom<Params>({ $null: true }, { $notNull: true }, { $null: false })
    const named = fc.oneof<fc.Arbitrary<unknown>[]>(
      id,
      ids,
      id.map($ne => ({ $ne })),
      nothing,
    )
    return fc.oneof({ weight: 3, arbitrary: inside }, { weight: 2, arbitrary: named }).map(said => ({ [name]: said }))
  })
  const below = filters(shape, depth - 1)
  const several = fc.array(below, { minLength: 1, maxLength: 2 })
  return fc.oneof(
    { weight: 1, arbitrary: tests(shape) },
    { weight: 4, arbitrary: fc.oneof(...joins) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        several.map($or => ({ $or })),
        several.map($and => ({ $and })),
        below.map($not => ({ $not })),
      ),
    },
  )
}

/** The paths of sort keys, through to-one relations. */
function paths(shape: ShapeName, depth: number): string[] {
  const { texts, numbers, joins } = shapes[shape]
  const below = Object.entries(joins).flatMap(([name, { to, many }]) =>
    many || depth === 0 ? [] : paths(to, depth - 1).map(path => `${name}.${path}`),
  )
  return [...texts, ...numbers, ...below]
}

export function sorts(shape: ShapeName, depth = 2): fc.Arbitrary<string[]> {
  const key = fc.tuple(fc.constantFrom(...paths(shape, depth)), fc.constantFrom('asc', 'desc'))
  return fc.array(
    key.map(key => key.join(':')),
    { minLength: 1, maxLength: 2 },
  )
}

function branch(to: ShapeName, many: boolean, depth: number): fc.Arbitrary<unknown> {
  const populate = depth === 0 ? {} : { populate: trees(to, depth - 1) }
  if (shapes[to].plural === null) return fc.record(populate).map(one => (one.populate ? one : true))
  const page = many ? { start: fc.nat({ max: 2 }), limit: fc.integer({ min: 1, max: 3 }) } : {}
  const full = fc.record({ ...populate, ...page, filters: filters(to, 1), sort: sorts(to, 1) }, { requiredKeys: [] })
  const told = full.map(one => (Object.keys(one).length === 0 ? true : one))
  return many ? fc.oneof({ weight: 6, arbitrary: told }, { weight: 1, arbitrary: fc.constant({ count: true }) }) : told
}

/** Trees with one to three branches at each level. */
export function trees(shape: ShapeName, depth: number): fc.Arbitrary<Params> {
  const names = Object.keys(shapes[shape].joins)
  return fc.subarray(names, { minLength: 1, maxLength: Math.min(3, names.length) }).chain(chosen => {
    const below = chosen.map(name => {
      const { to, many } = shapes[shape].joins[name]!
      return [name, branch(to, many, depth)] as const
    })
    return fc.record(Object.fromEntries(below))
  })
}

/** The locales of a query; a type that is not localized ignores them. */
const locale = fc.oneof<fc.Arbitrary<Params>[]>(
  fc.constant({}),
  fc.constantFrom(...locales, 'all').map(locale => ({ locale })),
  fc.subarray([...locales], { minLength: 1 }).map(locale => ({ locale })),
  fc
    .tuple(fc.constantFrom(...locales), fc.constantFrom(...locales))
    .map(([locale, fallbackLocale]) => ({ locale, fallbackLocale })),
)

const maybe = <T>(key: string, value: fc.Arbitrary<T>, freq = 2) =>
  fc.option(value, { freq, nil: undefined }).map((one): Params => (one === undefined ? {} : { [key]: one }))

/** Queries on `root`, still without a publication state and a page. */
export function queriesOf(root: Root, depth = 2): fc.Arbitrary<NewsroomQuery> {
  const fields = fc.subarray(['id', ...shapes[root].texts, ...shapes[root].numbers], { minLength: 1 })
  return fc
    .tuple(
      locale,
      maybe('filters', filters(root, 3), 4),
      maybe('sort', sorts(root)),
      maybe(
        'populate',
        fc.oneof({ weight: 5, arbitrary: trees(root, depth) }, { weight: 1, arbitrary: fc.constant('*') }),
      ),
      maybe('fields', fields, 1),
      maybe('_q', fc.constantFrom(...words), 1),
    )
    .map(parts => ({ root, params: Object.assign({}, ...parts) }))
}

export const anyRoot = fc.constantFrom(...roots)
export const queries = anyRoot.chain(root => queriesOf(root))
