// Every filter operator means in a rule what it means in the filters of a caller, on every type of attribute.

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { action, start } from '../fixtures/newsroom.ts'

const find = action('article', 'find')
const read = { permissions: { public: [find] } }

/** An operator of a plugin whose SQL would find entries for a missing value, too. */
const longer = definePlugin({
  name: 'longer',
  register({ kernel }) {
    kernel.operators.add({
      name: '$longer',
      operand: 'one',
      sql: column => `LENGTH(${column}) > COALESCE(CAST(? AS DECIMAL), 0)`,
      encode: value => {
        if (value === null || value === undefined) throw new TypeError('an operator never receives a missing value')
        return Number(value)
      },
    })
  },
})
const plugins = { longer: { plugin: longer } }

const articles = [
  { title: 'Alpha', pages: 12, state: 'draft', isOpen: true, day: '2024-01-12', due: '2024-02-03T04:05:06.000Z' },
  { title: 'beta 1', pages: 21, state: 'review', isOpen: false, day: '2025-12-01', due: '2025-12-31T00:00:00.000Z' },
  { title: 'Gamma', pages: 121, state: 'done', isOpen: true, day: '2024-12-24', due: '2026-01-01T12:00:00.000Z' },
  {},
]

const wheres: readonly object[] = [
  ...['$eqi', '$nei', '$contains', '$notContains', '$containsi', '$startsWith', '$startsWithi', '$endsWithi'].flatMap(
    name => [
      { title: { [name]: 'a' } },
      { pages: { [name]: '12' } },
      { pages: { [name]: 12 } },
      { id: { [name]: '1' } },
      { state: { [name]: 'd' } },
      { isOpen: { [name]: '1' } },
      { day: { [name]: '2024' } },
      { due: { [name]: '12' } },
      { $not: { pages: { [name]: '12' } } },
    ],
  ),
  { pages: { $between: [12, 21] } },
  { pages: { $in: ['12', 121] } },
  { pages: { $endsWith: ['1', '2'] } },
  { title: { $longer: 5 } },
  { title: { $not: { $longer: 5 } } },
]

t.test('a rule finds what the filter of a caller finds', async t => {
  const roles = wheres.map((_, i) => `role${i}`)
  const { of, as } = await start(
    t,
    {
      permissions: Object.fromEntries(roles.map(role => [role, [find]])),
      rules: Object.fromEntries(roles.map((role, i) => [role, [{ action: find, where: wheres[i] as never }]])),
    },
    plugins,
  )
  for (const data of articles) await of('article').create({ data })
  const idsOf = (rows: readonly object[]) => rows.map(row => (row as { id: number }).id)
  let sum = 0
  for (const [i, where] of wheres.entries()) {
    const expected = idsOf(await of('article').findMany({ filters: where as never, sort: 'id' }))
    t.same(idsOf(await of('article', as(`role${i}`)).findMany({ sort: 'id' })), expected, JSON.stringify(where))
    sum += expected.length
  }
  t.ok(sum > wheres.length, 'the filters find something')
})

t.test('an operator of a plugin compares with a value of the user', async t => {
  const where = { title: { $longer: '$user.level' } }
  const rules = { public: [{ action: find, where }], member: [{ action: find, where: { $not: where } }] }
  const { of, as } = await start(t, { permissions: { ...read.permissions, member: [find] }, rules }, plugins)
  for (const data of articles) await of('article').create({ data })
  const titles = async (role: string, level: number | null) =>
    (await of('article', as(role, { id: 1, level } as never)).findMany({ sort: 'id' })).map(({ title }) => title)
  t.same(await titles('public', 5), ['beta 1'])
  t.same(await titles('member', 5), ['Alpha', 'Gamma'])
  t.same(await titles('public', null), [], 'a missing value fulfils nothing')
  t.same(await titles('member', null), [], 'negated, too')
})
