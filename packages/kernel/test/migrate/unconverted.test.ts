// Attributes whose columns have another type: what loses nothing is converted at a start in development, and until the rest
// is converted nothing is written to such an attribute or compared with it, so that no value is lost or stored otherwise.

import { onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import type { DatabaseConfig, Kernel } from '../../src/index.ts'
import { component, type, uid } from '../fixtures/boot.ts'
import { apply, open, planned } from '../fixtures/migrate.ts'
import { one, step, things, valuesIn } from '../fixtures/retyped-entries.ts'

const start = (t: Test, database: DatabaseConfig, kind: string, more = {}): Promise<Kernel> =>
  open(t, database, one({ value: { type: kind, ...more }, other: { type: 'string' } }), 'add')

const changes: readonly (readonly [from: string, to: string, stored: unknown, sent: unknown, more?: object])[] = [
  ['string', 'integer', 'seven', 5],
  ['string', 'float', '7', 1e21],
  ['string', 'biginteger', '7', '9007199254740993'],
  ['string', 'decimal', '1.5', 2.5],
  ['string', 'boolean', 'true', true],
  ['string', 'datetime', 'tomorrow', '2024-05-05T10:00:00.000Z'],
  ['string', 'date', '2024', '2024-05-05'],
  ['string', 'time', '10', '10:00:00.000'],
  ['string', 'json', '{}', { a: 1 }],
  ['datetime', 'date', '2024-05-05T10:00:00.000Z', '2024-05-05'],
  ['datetime', 'integer', '2024-05-05T10:00:00.000Z', 5],
  ['integer', 'boolean', 2, true],
  ['float', 'integer', 1.5, 7],
  ['json', 'integer', { a: 1 }, 7],
  ['json', 'enumeration', { a: 'x'.repeat(300) }, 'a', { enum: ['a'] }],
]

for (const [from, to, stored, sent, more] of changes) {
  await onEach(`${from} to ${to}, pending`, async (t, client) => {
    const database = await things(t, from, [stored])
    const kernel = await start(t, database, to, more)
    const entries = kernel.query(uid('thing'))
    if ((await planned(kernel)).length === 0) {
      t.equal(client, 'sqlite', 'only SQLite keeps both alike')
      return
    }
    const read = (await entries.findMany({ fields: ['value'] }))[0]!.value
    if (['integer', 'float', 'decimal'].includes(to))
      t.ok(read === null || Number.isFinite(read), `read as a number or null, not as ${JSON.stringify(read)}`)
    const data = { value: sent } as never
    const refusal = { message: new RegExp(`value cannot be written: .*migrate apply ${step}`), status: 400 }
    await t.rejects(entries.create({ data }), { message: refusal.message })
    await t.rejects(entries.update(1, { data }), { message: refusal.message })
    const compared = { message: /^Invalid parameter value: it cannot be compared: .*pending/ }
    const asked = typeof sent === 'object' ? 'x' : sent
    for (const filters of [{ value: asked }, { value: { $null: true } }, { $or: [{ value: { $ne: asked } }] }])
      await t.rejects(entries.findMany({ filters } as never), compared, JSON.stringify(filters))
    await t.rejects(entries.findMany({ sort: 'value' }), compared)
    await t.rejects(entries.findMany({ sort: ['other', 'value:desc'] }), compared)
    t.same((await entries.findMany({ _q: 'kept' })).length, 1, 'a search leaves it out')
    await entries.findMany({ _q: '7' })
    t.match(await entries.create({ data: { other: 'new' } }), { other: 'new', value: null }, 'the rest is written')
    t.match(await entries.update(1, { data: { other: 'changed' } }), { other: 'changed' })
    t.match(await entries.create({ data: { value: null } }), { value: null }, 'null fits every type')
    await kernel.close()
    const before = await start(t, database, from)
    t.same((await valuesIn(before))[0], stored, 'and the old value is there')
  })
}

await onEach('in components, through relations, and with a default', async t => {
  const model = (kind: string, more = {}) => ({
    contentTypes: [
      type('thing', {
        value: { type: kind, ...more },
        part: { type: 'component', component: 'a.part', repeatable: true },
        next: { type: 'relation', relation: 'oneToOne', target: uid('thing') },
      }),
    ],
    components: { 'a.part': component('a.part', { rank: { type: kind }, label: { type: 'string' } }) },
  })
  const database = await things(t, 'string', ['x'])
  const before = await open(t, database, model('string'), 'add')
  await before.query(uid('thing')).create({ data: { value: 'y', part: [{ rank: 'z', label: 'a' }] } })
  await before.close()
  const kernel = await open(t, database, model('integer', { default: 5 }), 'add')
  const entries = kernel.query(uid('thing'))
  await t.rejects(entries.create({ data: {} }), { message: /value cannot be written/ }, 'a default is a value, too')
  const part = [{ rank: 1 }]
  await t.rejects(entries.create({ data: { value: null, part } }), { message: /part\[0\]\.rank cannot be written/ })
  const { id } = await entries.create({ data: { value: null, part: [{ label: 'b' }], next: 1 } })
  t.equal(id, 3)
  for (const filters of [{ part: { rank: 1 } }, { next: { value: 1 } }, { next: { part: { rank: { $gt: 0 } } } }])
    await t.rejects(entries.findMany({ filters }), { message: /cannot be compared/ })
  await t.rejects(entries.findMany({ sort: 'next.value' }), { message: /cannot be compared/ })
  t.match(await entries.findMany({ filters: { part: { label: 'b' } } }), [{ id: 3 }])
})

const safe: readonly (readonly [from: string, to: string, stored: unknown[], after: unknown[], sent: unknown])[] = [
  ['boolean', 'string', [true, false, null], ['true', 'false', null], 'x'],
  ['boolean', 'text', [true, false, null], ['true', 'false', null], 'x'.repeat(300)],
  ['boolean', 'integer', [true, false, null], [1, 0, null], 7],
  ['integer', 'string', [5, -1], ['5', '-1'], '5'],
  ['float', 'string', [5, 1.5, -0.25], ['5', '1.5', '-0.25'], '5'],
  ['decimal', 'string', [5, 1.5], ['5', '1.5'], '5'],
  ['integer', 'biginteger', [5], ['5'], '9007199254740993'],
  [
    'date',
    'datetime',
    ['2024-02-29', '1969-12-31'],
    ['2024-02-29T00:00:00.000Z', '1969-12-31T00:00:00.000Z'],
    '2024-05-05T10:00:00.000Z',
  ],
  ['datetime', 'string', ['2024-02-29T10:00:00.120Z'], ['2024-02-29T10:00:00.120Z'], 'x'],
  ['time', 'string', ['10:00:00.000', '23:59:59.999'], ['10:00:00.000', '23:59:59.999'], 'x'],
  ['date', 'text', ['2024-02-29'], ['2024-02-29'], 'x'],
  ['datetime', 'integer', [null], [null], 7],
  ['string', 'integer', [null], [null], 7],
]

for (const [from, to, stored, after, sent] of safe) {
  await onEach(`${from} to ${to} loses nothing and is done at a start`, async t => {
    const database = await things(t, from, stored)
    const kernel = await start(t, database, to)
    t.same(await planned(kernel), [])
    t.same(await valuesIn(kernel), after)
    t.match(await kernel.query(uid('thing')).create({ data: { value: sent } as never }), { value: sent })
  })
}

await onEach('a start in production converts nothing unasked, nor what would drop an index of the owner', async t => {
  const database = await things(t, 'boolean', [true])
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    const kernel = await start(t, database, 'string')
    t.same(await planned(kernel), [`safe ${step}`])
    await t.rejects(kernel.query(uid('thing')).create({ data: { value: 'x' } }), { message: /cannot be written/ })
    await kernel.knex.schema.alterTable('things', table => void table.index(['value'], 'my_own'))
    await kernel.close()
  } finally {
    process.env.NODE_ENV = before
    if (before === undefined) delete process.env.NODE_ENV
  }
  const kernel = await start(t, database, 'string')
  t.same(await planned(kernel), [`safe ${step}`])
  await apply(kernel)
  t.same(await valuesIn(kernel), ['true'])
})

await onEach('a change to text that was interrupted continues', async t => {
  const database = await things(t, 'boolean', [true, false])
  const tool = await open(t, database, one({ value: { type: 'string' }, other: { type: 'string' } }))
  const { planMigrations } = await import('../../src/migrate/index.ts')
  const [retype] = (await planMigrations(tool)).steps
  // As after a kill, where each statement commits by itself.
  if (!tool.database.ddl.isTransactional) for (const text of retype!.sql.slice(0, 2)) await tool.knex.raw(text)
  t.same(await planned(tool), [`safe ${step}`])
  await apply(tool)
  t.same(await valuesIn(tool), ['true', 'false'])
  t.same(await planned(tool), [])
})
