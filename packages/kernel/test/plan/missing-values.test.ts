// Per-request values that are missing: a condition that compares with one is fulfilled by no entry, and neither is its
// negation, for every comparison and every kind of attribute.

import t from 'tap'
import {
  type Condition,
  compare,
  createContext,
  isIn,
  isNull,
  linked,
  not,
  openAccess,
  or,
  type PlanDraft,
  perRequest,
} from '../../src/index.ts'
import type { Comparison } from '../../src/query/operators.ts'
import { boot, repositories, type, uid } from '../fixtures/boot.ts'

/** Attributes, and two values of each. */
const values = {
  string: ['null', 'undefined'],
  text: ['null', 'zebra'],
  integer: [-5, 7],
  biginteger: ['-9007199254740993', '12'],
  float: [-0.5, 2.25],
  decimal: [-1.5, 3],
  boolean: [false, true],
  date: ['1969-07-20', '2024-02-29'],
  time: ['01:02:03.000', '23:59:59.000'],
  datetime: ['1969-07-20T20:17:40.000Z', '2024-02-29T12:00:00.000Z'],
} as const
const names = Object.keys(values) as (keyof typeof values)[]

const comparisons = [
  ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'eqi', 'nei'],
  ...['contains', 'notContains', 'containsi', 'notContainsi', 'startsWith', 'startsWithi', 'endsWith', 'endsWithi'],
] as Comparison[]

const item = type('item', {
  ...Object.fromEntries(names.map(name => [name, { type: name }])),
  box: { type: 'relation', relation: 'manyToOne', target: uid('box'), inversedBy: 'items' },
})
const box = type(
  'box',
  {
    label: { type: 'string' },
    items: { type: 'relation', relation: 'oneToMany', target: uid('item'), mappedBy: 'box' },
  },
  { collectionName: 'boxes' },
)

/** Conditions by the keys of the rights. */
const conditions = new Map<string, { readonly on: string; readonly condition: Condition }>()
const value = perRequest(({ state }) => state.value)

function lay(draft: PlanDraft): void {
  const found = conditions.get(draft.access.key)
  if (found?.on === draft.type.singularName && draft.via !== 'rule') draft.where(found.condition)
}

t.test('T4: a missing value fulfils nothing, negated or not', async t => {
  const kernel = await boot(t, {
    contentTypes: [item, box],
    configure: ({ hooks }) => hooks.on('prePlan', lay),
    maxPlans: 10_000,
  })
  const of = repositories(kernel)
  for (const label of ['one', 'two', 'empty']) await of('box').create({ data: { label } })
  for (const i of [0, 1])
    await of('item').create({
      data: { ...Object.fromEntries(names.map(name => [name, values[name][i]])), box: i + 1 },
    })
  await of('item').create({ data: {} })

  let keys = 0
  const as = (on: string, condition: Condition, given: unknown) => {
    const key = `rule ${keys++}`
    conditions.set(key, { on, condition })
    return { ...createContext({ ...openAccess, key }), state: { value: given } }
  }
  const found = async (condition: Condition, given: unknown) =>
    (await kernel.query(uid('item'), as('item', condition, given)).findMany({ sort: 'id' })).map(one => one.id)
  /** What a caller with the condition sees of anything, by all ways there are. */
  const seen = async (condition: Condition, given: unknown) => {
    const context = as('item', condition, given)
    const items = kernel.query(uid('item'), context)
    const page = await items.findPage({ pagination: { page: 1, pageSize: 1 } })
    const boxes = kernel.query(uid('box'), context)
    const branches = (await boxes.findMany({ populate: { items: true } })).flatMap(one => one.items as unknown[])
    const counts = (await boxes.findMany({ populate: { items: { count: true } } })) as { items?: { count: number } }[]
    const through = await boxes.findMany({ filters: { items: { id: { $notNull: true } } } })
    const linking = kernel.query(uid('box'), as('box', linked('items', condition), given))
    const unlinked = kernel.query(uid('box'), as('box', not(linked('items', condition)), given))
    return [
      (await items.findMany()).length,
      (await items.findOne(1)) === null ? 0 : 1,
      page.entries.length,
      page.pagination.total,
      await items.count(),
      branches.length,
      counts.reduce((sum, one) => sum + (one.items?.count ?? 0), 0),
      through.length,
      await linking.count(),
      await unlinked.count(),
    ]
  }
  const nothing = Array(10).fill(0)

  for (const name of [...names, 'id'] as const) {
    t.test(name, async t => {
      const [low, high] = name === 'id' ? [1, 2] : values[name]
      for (const comparison of comparisons) {
        const condition = compare(name, comparison, value)
        for (const given of [null, undefined]) {
          t.same(await found(condition, given), [], `${comparison} ${given}`)
          t.same(await found(not(condition), given), [], `not ${comparison} ${given}`)
        }
        const all = [...(await found(condition, low)), ...(await found(not(condition), low))].sort()
        t.same(all, name === 'id' ? [1, 2, 3] : [1, 2], `${comparison} of a value decides about each that has one`)
      }
      t.same(await seen(compare(name, 'ne', value), null), nothing, 'ne, everywhere')
      t.same(await seen(not(compare(name, 'eq', value)), undefined), nothing, 'not eq, everywhere')

      for (const given of [null, undefined, [null], [undefined], 5])
        for (const condition of [compare(name, 'between', value), not(compare(name, 'between', value))])
          t.same(await found(condition, given), [], 'between')
      for (const given of [
        [null, high],
        [low, null],
      ]) {
        t.same(await found(compare(name, 'between', value), given), [], 'between with one end')
        t.same(await found(not(compare(name, 'between', value)), given), [], 'not between with one end')
      }

      for (const given of [null, undefined, [null], [null, undefined]]) {
        t.same(await seen(isIn(name, value), given), nothing, 'in')
        t.same(await seen(compare(name, 'notIn', value), given), nothing, 'notIn')
        t.same(await seen(not(isIn(name, value)), given), nothing, 'not in')
        t.same(await seen(not(compare(name, 'notIn', value)), given), nothing, 'not notIn')
      }
      t.same(await found(isIn(name, value), [null, high]), [2], 'in a list with a null')
      t.same(await found(not(isIn(name, value)), [null, high]), [], 'not in a list with a null')
      t.same(await found(compare(name, 'notIn', value), [high, null]), [], 'notIn a list with a null')
      t.same(await found(isIn(name, value), high), [2], 'a single value is a list of one')
      t.same(await found(isIn(name, value), []), [], 'an empty list is there')
      t.equal((await found(not(isIn(name, value)), [])).length > 1, true, 'and all are outside of it')
      t.same(await found(compare(name, 'eq', value), [high]), [], 'a list is no value')
      t.same(await found(not(compare(name, 'eq', value)), [high]), [])
    })
  }

  t.test('around links', async t => {
    const count = (condition: Condition, given: unknown) =>
      kernel.query(uid('box'), as('box', condition, given)).count()
    const isOf = compare('integer', 'eq', value)
    t.equal(await count(not(linked('items', isOf)), 7), 2)
    const negations: Condition[] = [
      not(linked('items', isOf)),
      not(linked('items', not(isOf))),
      not(linked('items', or(isOf, isNull('integer')))),
      not(linked('items', linked('box', isOf.op === 'compare' ? compare('label', 'eq', value) : isOf))),
      not(linked('items', not(linked('box', compare('label', 'eq', value))))),
      not(or(linked('items', isOf), isNull('label'))),
      not(not(linked('items', isOf))),
      not(linked('items', isIn('integer', value))),
    ]
    for (const [i, condition] of negations.entries()) {
      t.equal(await count(condition, null), 0, `negation ${i}`)
      t.equal(await count(condition, undefined), 0, `negation ${i}`)
    }
    t.equal(await count(not(linked('items', isIn('integer', value))), [7, null]), 0, 'a list with a null')
    t.equal(
      await count(
        or(
          not(linked('items', isOf)),
          compare(
            'label',
            'eq',
            perRequest(() => 'two'),
          ),
        ),
        null,
      ),
      1,
    )
    t.equal(await count(not(linked('items')), null), 1, 'nothing is compared')
  })
})

t.test('what clients send keeps its meaning', async t => {
  const kernel = await boot(t, { contentTypes: [item, box] })
  const of = repositories(kernel)
  for (const string of ['null', 'other']) await of('item').create({ data: { string, integer: 1 } })
  const count = (filters: object) => of('item').count({ filters } as never)
  t.equal(await count({ string: { $eq: 'null' } }), 1)
  t.equal(await count({ string: { $ne: 'null' } }), 1)
  t.equal(await count({ string: { $in: ['null', 'x'] } }), 1)
  t.equal(await count({ string: { $notIn: ['null'] } }), 1)
  t.equal(await count({ id: { $gt: 'abc' } }), 0)
  t.equal(await count({ $not: { id: { $gt: 'abc' } } }), 0)
})
