// Tests of the parser: which queries share a shape, which values become slots, and which queries are refused without
// knowledge of the model (B-2.20 to B-2.134).

import t from 'tap'
import { operators } from '../../src/query/operators.ts'
import { pageInfo, parsePagination } from '../../src/query/pagination.ts'
import { parseQuery } from '../../src/query/parse.ts'
import type { Params, ReadRequest } from '../../src/query/request.ts'

const grammar = { operators: new Map(operators.map(one => [one.name, one])), parameters: new Map() }
const rules = { defaultLimit: 25, maxLimit: 100, withCount: true }
const parse = (params: Params, more: Partial<ReadRequest> = {}) =>
  parseQuery(grammar, { uid: 'api::a.a', action: 'find', params, pagination: rules, ...more })
const shape = (params: Params, more: Partial<ReadRequest> = {}) => parse(params, more).query.shape

t.test('paths below one name are populated in the order of v4', async t => {
  const order = (populate: string) => {
    const [first] = parse({ populate }).query.selection.populate.named
    return first!.selection.populate.named.map(one => [
      one.name,
      ...one.selection.populate.named.map(each => each.name),
    ])
  }
  t.same(order('a.x,a.y'), [['y'], ['x']])
  t.same(order('a.x,a.y,a.z'), [['z'], ['y'], ['x']])
  t.same(order('a.x.p,a.x.q'), [['x', 'p', 'q']])
  t.same(order('a.x.p,a.y,a.x.q'), [['x', 'p', 'q'], ['y']])
})

t.test('queries that differ only in values have one shape', async t => {
  const same: readonly (readonly [one: Params, other: Params])[] = [
    [{ filters: { a: 'x' } }, { filters: { a: 'a much longer text' } }],
    [{ filters: { a: { $eq: 'x' } } }, { filters: { a: { $eq: 7 } } }],
    [{ filters: { a: { $in: [1] } } }, { filters: { a: { $in: ['x', 'y', 'z'] } } }],
    [{ filters: { a: [1] } }, { filters: { a: ['x', 'y', 'z'] } }],
    [{ filters: { a: { $between: [1, 2] } } }, { filters: { a: { $between: ['x', 'y'] } } }],
    [{ filters: { a: { b: { $lt: 1 } } } }, { filters: { a: { b: { $lt: 2 } } } }],
    [{ filters: { a: { $null: 'true' } } }, { filters: { a: { $eq: null } } }],
    [{ filters: { a: { $null: 'false' } } }, { filters: { a: { $notNull: '1' } } }],
    [{ filters: { a: { $null: '0' } } }, { filters: { a: { $ne: null } } }],
    [{ sort: 'a:desc,b' }, { sort: [{ a: 'DESC' }, { b: 'asc' }] }],
    [{ sort: 'a.b' }, { sort: { a: { b: 'asc' } } }],
    [{ fields: 'a' }, { fields: ['a'] }],
    [{ fields: '*' }, {}],
    [{ populate: 'a,b.c' }, { populate: { a: true, b: { populate: ['c'] } } }],
    [{ populate: ['a', 'b.c'] }, { populate: { a: '1', b: { populate: { c: 'x' } } } }],
    [{ populate: true }, { populate: '*' }],
    [{ populate: { a: { limit: 1 } } }, { populate: { a: { start: 3, limit: '9' } } }],
    [{ populate: { a: { filters: { b: 1 } } } }, { populate: { a: { filters: { b: 2 } } } }],
    [{ pagination: { page: 1 } }, { pagination: { start: 5, limit: 7 } }],
    [{ _q: 'x' }, { _q: 'y' }],
    [{ _q: '1' }, { _q: '2.5' }],
    [{}, { unknown: 1, populate: '', sort: '', _q: '', pagination: 5, filters: undefined }],
  ]
  for (const [one, other] of same) t.equal(shape(one), shape(other), JSON.stringify([one, other]))
})

t.test('queries that differ in more than values have different shapes', async t => {
  const different: readonly Params[] = [
    {},
    { filters: { a: 1 } },
    { filters: { a: { $ne: 1 } } },
    { filters: { a: null } },
    { filters: { a: { $notNull: true } } },
    { filters: { a: [1] } },
    { filters: { ab: 1 } },
    { filters: { a: { b: 1 } } },
    { filters: { a: 1, b: 1 } },
    { filters: { $or: [{ a: 1 }, { b: 1 }] } },
    { filters: { $and: [{ a: 1 }, { b: 1 }] } },
    { filters: { $not: { a: 1 } } },
    { filters: { $or: [{ a: 1 }, [{ b: 1 }, { c: 1 }]] } },
    { filters: { $or: [{ a: 1 }, { b: 1 }, { c: 1 }] } },
    { filters: { $or: [{ a: 1 }, [{ b: 1 }], [{ c: 1 }]] } },
    { filters: { $and: [{ a: 1 }, [{ b: 1 }, { c: 1 }]] } },
    { filters: { $not: [[{ a: 1 }, { b: 1 }]] } },
    { filters: { a: { $eq: [1, 2] } } },
    { filters: { a: { $eq: [1, 2, 3] } } },
    { sort: 'a' },
    { sort: 'a:desc' },
    { sort: 'a,b' },
    { sort: 'a.b' },
    { fields: 'a' },
    { fields: ['a', 'b'] },
    { fields: ['a b'] },
    { fields: 'a 1:b' },
    { populate: 'a' },
    { populate: '*' },
    { populate: 'a.b' },
    { populate: 'a,b' },
    { populate: { a: { count: true } } },
    { populate: { a: { ordering: 'desc' } } },
    { populate: { a: { limit: 1 } } },
    { populate: { a: { fields: ['b'] } } },
    { populate: { a: { sort: 'b' } } },
    { populate: { a: { filters: { b: 1 } } } },
    { populate: { a: { on: { 'x.y': true } } } },
    { populate: { a: { on: {} } } },
    { pagination: { withCount: 'false' } },
    { pagination: { limit: -1 }, filters: { z: 1 } },
    { _q: 'x' },
    { _q: '1' },
  ]
  const shapes = new Map<string, string>()
  for (const params of different) {
    const text = JSON.stringify(params)
    t.equal(shapes.get(shape(params)), undefined, text)
    shapes.set(shape(params), text)
  }
  t.not(shape({}, { action: 'findOne', id: 1 }), shape({}))
  t.equal(shape({}, { action: 'findOne', id: 1 }), shape({}, { action: 'findOne', id: 2 }))
  t.not(shape({}, { meta: true }), shape({}))
})

t.test('values are listed in the order of their slots', async t => {
  const filters = { a: 'x', b: { $in: [1, 2] }, c: { $between: ['p', 'q'] }, d: { $null: true } }
  const { values, query } = parse({ filters, _q: 'text', pagination: { page: 3, pageSize: 10 } }, { id: 7 })
  t.same(values, ['x', [1, 2], ['p', 'q'], 'text', 7, 20, 10])
  t.match(query, { id: 4, page: { start: 5, limit: 6 }, search: { slot: 3, isNumeric: false } })
  t.notMatch(query.shape, /text|x|20/)
})

t.test('lists of more than 100 items, which query strings turn into objects', async t => {
  const list = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [String(i), i]))
  t.same(parse({ filters: { a: { $in: list } } }).values[0], Object.values(list))
  t.equal(shape({ filters: { a: { $in: list } } }), shape({ filters: { a: { $in: [1] } } }))
})

t.test('a list as an item of a list means all of its conditions', async t => {
  const of = (filters: object) => parse({ filters } as Params).query.selection.filters
  for (const key of ['$or', '$and', '$not']) {
    const all = { $and: [{ b: 1 }, { c: 1 }] }
    const expected = of({ [key]: [{ a: 1 }, all] })
    t.ok(expected !== null)
    t.match(
      JSON.stringify(of({ [key]: [{ a: 1 }, [{ b: 1 }, { c: 1 }]] })).replaceAll(/"path":"[^"]*"/g, ''),
      JSON.stringify(expected).replaceAll(/"path":"[^"]*"/g, ''),
      key,
    )
  }
  const items = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [String(i), { a: i }]))
  t.same(parse({ filters: { $or: [{ b: 1 }, items] } } as Params).values.length, 123, 'a long list is an object')
  const one = { filters: { $or: [{ a: 1 }, [{ b: 2 }, { c: 3 }]] } }
  const other = { filters: { $or: [{ a: 'x' }, [{ b: 'y' }, { c: 'z' }]] } }
  t.equal(shape(one), shape(other), 'values are not of the shape')
  t.same(of({ $or: [{ a: 1 }, [], [[]], [{}]] }), of({ $or: [{ a: 1 }] }), 'lists without conditions')
})

t.test('lists and objects as flags are true', async t => {
  for (const name of ['$null', '$notNull']) {
    for (const flag of [
      { anything: 'anything' },
      { a: { b: 'false' } },
      ['false'],
      [0, 1],
      [null],
      [{ toString: 1 }],
    ]) {
      const given = { filters: { a: { [name]: flag } } } as Params
      t.equal(shape(given), shape({ filters: { a: { [name]: true } } }), `${name} ${JSON.stringify(flag)}`)
    }
    t.equal(shape({ filters: { a: { [name]: [] } } }), shape({ filters: { a: { [name]: false } } }))
  }
})

t.test('parameters that cannot be parsed are refused', async t => {
  const deep = (levels: number): unknown => (levels === 0 ? { a: 1 } : { $not: deep(levels - 1) })
  const nested = (levels: number): unknown => (levels === 0 ? { a: 1 } : [nested(levels - 1)])
  const below = (levels: number): object => (levels === 0 ? { a: true } : { a: { populate: below(levels - 1) } })
  const rows: readonly (readonly [params: Params, message: RegExp, path?: string])[] = [
    [{ filters: 'abc' }, /^Invalid parameter filters: expected an object/, 'filters'],
    [{ filters: [1] }, /^Invalid parameter filters/, 'filters'],
    [{ filters: { a: { $nope: 1 } } }, /^Unknown operator \$nope/, 'filters.a.$nope'],
    [{ filters: { a: { $contians: 1 } } }, /did you mean "\$contains"\?/, 'filters.a.$contians'],
    [{ filters: { $eq: 1 } }, /an operator must be below an attribute/, 'filters.$eq'],
    [{ filters: { $or: { a: 1 } } }, /^Invalid parameter \$or: expected a list/, 'filters.$or'],
    [{ filters: { $or: ['x'] } }, /expected an object/, 'filters.$or.0'],
    [{ filters: { $or: [{ a: 1 }, ['x']] } }, /expected an object/, 'filters.$or.1.0'],
    [{ filters: { $and: [[[null]]] } }, /expected an object/, 'filters.$and.0.0.0'],
    [{ filters: { $not: [[{ a: 1 }, 1]] } }, /expected an object/, 'filters.$not.0.1'],
    [{ filters: { $or: [nested(40)] } }, /nested too deeply/],
    [{ filters: { $not: [nested(40)] } }, /nested too deeply/],
    [{ filters: { $or: [Array.from({ length: 200 }, () => ({ a: 1 }))] } }, /more than 200 alternatives/],
    [{ filters: { a: { $null: {} } } }, /expected a value/, 'filters.a.$null'],
    [{ filters: { a: { $null: Array(201).fill(1) } } }, /more than 200 alternatives/],
    [{ filters: { a: { $between: [1] } } }, /expected two values/, 'filters.a.$between'],
    [{ filters: { a: { $between: [1, null] } } }, /expected two values/, 'filters.a.$between'],
    [{ filters: { a: { $lt: { b: 1 } } } }, /expected a value/, 'filters.a.$lt'],
    [{ filters: { a: { $lt: null } } }, /null cannot be compared/, 'filters.a.$lt'],
    [{ filters: deep(40) }, /nested too deeply/],
    [{ filters: { $or: Array.from({ length: 201 }, () => ({ a: 1 })) } }, /more than 200 alternatives/],
    [{ filters: { a: 'x'.repeat(5000) } }, /longer than 4096 characters/, 'filters.a'],
    [{ filters: { a: 'x\0y' } }, /contains a NUL/, 'filters.a'],
    [{ sort: 'a:up' }, /order can only be one of asc\|desc/, 'sort'],
    [{ sort: 5 }, /^Invalid parameter sort/, 'sort'],
    [{ fields: '' }, /^Invalid parameter fields: it is empty/, 'fields'],
    [{ fields: { a: 1 } }, /^Invalid parameter fields/, 'fields'],
    [{ populate: [5] }, /^Invalid parameter populate/, 'populate'],
    [{ populate: below(12) }, /nested too deeply/],
    [{ populate: { a: { limit: 'x' } } }, /expected a whole number/, 'populate.a.limit'],
    [{ populate: { a: { limit: -5 } } }, /expected 0 or a greater whole number, or -1 for all/, 'populate.a.limit'],
    [{ populate: { a: { start: '9'.repeat(23) } } }, /expected a whole number/, 'populate.a.start'],
    [{ populate: 'a\0' }, /contains a NUL/, 'a\\0'],
    [{ sort: Array(51).fill('a') }, /more than 50 sort keys/, 'sort'],
    [{ populate: { a: { sort: Array(51).fill('b').join() } } }, /more than 50 sort keys/, 'populate.a.sort'],
    [{ populate: { a: { filters: { b: { $no: 1 } } } } }, /Unknown operator/, 'populate.a.filters.b.$no'],
    [{ _q: ['a'] }, /^Invalid value for _q/, '_q'],
    [{ _q: Symbol('a') }, /^Invalid value for _q/, '_q'],
    [{ filters: { a: { $between: [[1], 2] } } }, /expected two values/, 'filters.a.$between'],
    [{ pagination: { withCount: { toString: 1 } } }, /^Invalid withCount parameter/],
    [{ pagination: { withCount: [{ toString: 1 }] } }, /^Invalid withCount parameter/],
  ]
  for (const [params, message, path] of rows) {
    const expected = path === undefined ? {} : { details: { path } }
    t.throws(() => parse(params), { name: 'ValidationError', status: 400, message, ...expected }, String(message))
  }
  const lenient = { ...grammar, ignoreUnknownOperators: true }
  const params = { filters: { a: { $nope: 1 } } }
  const dropped = parseQuery(lenient, { uid: 'x', action: 'find', params })
  t.same(dropped.values, [])
  t.throws(() => parse({ page: 1 }, { refuseLoosePaging: true }), { name: 'PaginationError', status: 400 })
  t.throws(() => parse({ populate: { a: { page: 1, limit: 1 } } }), { name: 'PaginationError', status: 400 })
})

t.test('objects whose conversion throws are not converted', t => {
  const bad = { toString: 1, valueOf: 1 }
  for (const flag of [bad, [bad], [[bad]], [bad, 'false']]) {
    t.equal(shape({ filters: { a: { $null: [flag] } } }), shape({ filters: { a: { $null: 'x' } } }), 'is not false')
    t.equal(shape({ populate: { a: { count: flag } } }), shape({ populate: { a: { count: 'x' } } }))
    t.equal(shape({ populate: { '*': flag } }), shape({ populate: '*' }))
  }
  for (const flag of [['false'], [['0']], ['']]) t.equal(shape({ populate: { '*': flag } }), shape({}))
  t.end()
})

t.test('names of Object.prototype are names like others, and parameters are not changed', async t => {
  const before = Object.getOwnPropertyNames(Object.prototype).sort()
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const forms = [
      `${name}.b.c`,
      `a.${name}.b`,
      [`a.${name}`, `a.${name}.b`],
      { a: { populate: `b.${name}.c` } },
      { a: { populate: [`${name}.c`] }, c: true },
    ]
    for (const populate of forms) {
      const sent = structuredClone(populate)
      t.match(parse({ populate }).query.shape, name, `${name} is part of the shape`)
      t.same(populate, sent)
    }
  }
  t.same(Object.getOwnPropertyNames(Object.prototype).sort(), before)
  t.notOk('populate' in {})
  const populate = { a: { populate: { b: true } } }
  t.match(parse({ populate: [populate, 'a.c', 'a.*'] }).query.selection.populate.named, [
    { name: 'a', selection: { populate: { all: true, named: [{ name: 'c' }, { name: 'b' }] } } },
  ])
  t.same(populate, { a: { populate: { b: true } } })
})

t.test('pages (B-2.30 to B-2.46)', async t => {
  const rows: readonly (readonly [given: unknown, total: number, info: object])[] = [
    [undefined, 60, { page: 1, pageSize: 25, pageCount: 3, total: 60 }],
    [5, 60, { page: 1, pageSize: 25, pageCount: 3, total: 60 }],
    [{ page: '2' }, 60, { page: 2, pageSize: 25, pageCount: 3, total: 60 }],
    [{ pageSize: '10', page: 9 }, 0, { page: 9, pageSize: 10, pageCount: 0, total: 0 }],
    [{ pageSize: 500 }, 60, { page: 1, pageSize: 100, pageCount: 1, total: 60 }],
    [{ pageSize: -1 }, 2, { page: 1, pageSize: 1, pageCount: 2, total: 2 }],
    [{ pageSize: '', page: '' }, 2, { page: 1, pageSize: 1, pageCount: 2, total: 2 }],
    [{ page: -4 }, 2, { page: 1, pageSize: 25, pageCount: 1, total: 2 }],
    [{ start: 5 }, 60, { start: 5, limit: 25, total: 60 }],
    [{ start: -1, limit: 0 }, 60, { start: 0, limit: 1, total: 60 }],
    [{ limit: 500 }, 60, { start: 0, limit: 100, total: 60 }],
    [{ limit: -1 }, 60, { start: 0, limit: 100, total: 60 }],
    [{ limit: -5 }, 60, { start: 0, limit: 1, total: 60 }],
  ]
  for (const [given, total, info] of rows)
    t.same(pageInfo(parsePagination(given, rules), total), info, JSON.stringify(given))
  t.match(parsePagination({ limit: -1 }, { ...rules, maxLimit: null }), { limit: -1 })
  for (const word of ['false', 'f', '0']) t.equal(parsePagination({ withCount: word }, rules).withCount, false)
  for (const word of ['true', 't', '1'])
    t.ok(parsePagination({ withCount: word }, { ...rules, withCount: false }).withCount)
  t.same(pageInfo(parsePagination({}, rules), null), { page: 1, pageSize: 25 })
  t.same(pageInfo(parsePagination({ start: 1 }, rules), null), { start: 1, limit: 25 })
  t.throws(() => parsePagination({ page: 1, limit: 1 }, rules), {
    message: /^Invalid pagination parameters\. Expected either/,
  })
  t.throws(() => parsePagination({ withCount: 'yes' }, rules), { message: /^Invalid withCount parameter/ })
  for (const key of ['page', 'pageSize', 'start', 'limit'])
    for (const value of ['x', 1.5, []])
      t.throws(() => parsePagination({ [key]: value }, rules), {
        name: 'ValidationError',
        details: { path: `pagination.${key}` },
      })
})
