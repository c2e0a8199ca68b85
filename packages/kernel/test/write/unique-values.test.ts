// Unique values: which attribute an error names, and that of many writers of one value one succeeds.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import t from 'tap'
import { createKernel, ValidationError } from '../../src/index.ts'
import { boot, component, raw, repositories, temporary, thrown, type, uid } from '../fixtures/boot.ts'

t.test('unique values are refused with their path', async t => {
  const unique = (kind: string) => ({ type: kind, unique: true })
  const names = { name: unique('string'), count: unique('integer'), at: unique('datetime'), handle: { type: 'uid' } }
  const things = repositories(await boot(t, { contentTypes: [type('thing', names)] }))('thing')
  const rows = [
    ['name', 'a', 'b'],
    ['count', 1, 2],
    ['at', '2024-01-01', '2024-01-02'],
    ['handle', '', 'x'],
  ] as const
  for (const [name, value, other] of rows) {
    const { id } = await things.create({ data: { [name]: value } })
    const error = await thrown(t, () => things.create({ data: { [name]: value } }))
    t.match(error.details, { errors: [{ path: [name], message: 'This attribute must be unique' }] })
    await t.resolves(things.update(id, { data: { [name]: value } }), 'its own value')
    const second = await things.create({ data: { [name]: other } })
    t.match(await thrown(t, () => things.update(second.id, { data: { [name]: value } })), { message: /unique/ })
    await t.resolves(things.create({ data: { [name]: null } }), 'null never clashes')
  }
})

t.test('a unique value that is sent twice in an entry is refused', async t => {
  const sku = { type: 'string', unique: true }
  const kernel = await boot(t, {
    components: { 'a.variant': component('a.variant', { name: { type: 'string' }, sku }) },
    contentTypes: [
      type('thing', {
        variants: { type: 'component', component: 'a.variant', repeatable: true },
        zone: { type: 'dynamiczone', components: ['a.variant'] },
      }),
    ],
  })
  const things = repositories(kernel)('thing')
  await things.create({ data: { variants: [{ sku: 'a' }, { sku: 'b' }] } })
  const __component = 'a.variant'
  const refused: readonly (readonly [data: Record<string, unknown>, ...paths: string[]])[] = [
    [{ variants: [{ sku: 'same' }, { sku: 'same' }] }, 'variants.1.sku'],
    [
      {
        variants: [
          { id: 1, sku: 'same' },
          { id: 2, sku: 'same' },
        ],
      },
      'variants.1.sku',
    ],
    [{ variants: [{ sku: 'same' }], zone: [{ __component, sku: 'same' }] }, 'zone.0.sku'],
    [{ variants: [{ sku: 'x' }, { sku: 'x' }, { sku: 'y' }, { sku: 'x' }] }, 'variants.1.sku', 'variants.3.sku'],
  ]
  for (const [data, ...paths] of refused) {
    const error = await thrown(t, () => things.update(1, { data }))
    const { errors } = error.details as { errors: { path: string[]; message: string }[] }
    t.same(
      errors.map(one => one.path.join('.')),
      paths,
    )
    t.ok(errors.every(one => one.message === 'This attribute must be unique'))
  }
  t.match(await things.findOne(1, { populate: 'variants' }), { variants: [{ sku: 'a' }, { sku: 'b' }] })
  const taken = [{ id: 1, sku: 'a' }, { sku: null }, { sku: null }, { sku: 'c' }]
  t.ok(await things.update(1, { data: { variants: taken } }), 'null is no value')
})

t.test('a violated index over several attributes does not name another attribute', async t => {
  const attributes = { rank: { type: 'string', unique: true }, pageRank: { type: 'integer' }, name: { type: 'string' } }
  const kernel = await boot(t, {
    contentTypes: [type('page', attributes)],
    configure: kernel => kernel.hooks.on('preModel', draft => draft.index(['pageRank', 'name'], { unique: true })),
  })
  const pages = repositories(kernel)('page')
  await pages.create({ data: { rank: 'a', pageRank: 1, name: 'x' } })
  const { details } = await thrown(t, () => pages.create({ data: { rank: 'b', pageRank: 1, name: 'x' } }))
  t.notMatch(details, { errors: [{ path: ['rank'] }] })
})

await onEach('a unique index of the database itself refuses components of one write', async t => {
  const { config: database } = await fresh(t)
  const part = { type: 'component', component: 'a.part' }
  const kernel = await createKernel({
    database,
    components: { 'a.part': component('a.part', { label: { type: 'string' }, sku: { type: 'string', unique: true } }) },
    contentTypes: [type('thing', { main: part, side: part, parts: { ...part, repeatable: true } })],
  })
  t.teardown(() => kernel.close())
  await kernel.database.knex.schema.alterTable('components_a_parts', table => {
    table.unique(['sku'])
    table.unique(['label'])
  })
  const things = repositories(kernel)('thing')
  const { id } = await things.create({ data: { main: { sku: 'a', label: 'a' } } })
  for (const work of [
    () => things.create({ data: { main: { sku: 'b' }, side: { sku: 'b' } } }),
    () => things.create({ data: { main: { sku: 'c' }, parts: [{ sku: 'd' }, { sku: 'c' }] } }),
    // No attribute is unique here, so that no check knows the index.
    () => things.create({ data: { parts: [{ label: 'e' }, { label: 'e' }] } }),
    () => things.create({ data: { main: { label: 'a' } } }),
    () => things.update(id, { data: { parts: [{ label: 'a' }] } }),
  ])
    t.match(await thrown(t, work), { constructor: ValidationError, message: 'This attribute must be unique' })
  t.equal((await things.findMany({})).length, 1)
  t.match(await things.findOne(id, { populate: '*' }), { main: { sku: 'a', label: 'a' }, side: null, parts: [] })
})

t.test('unique values are reported in the order of the schema', async t => {
  const day = type('day', { date: { type: 'date', unique: true }, name: { type: 'string', unique: true } })
  const kernel = await boot(t, { contentTypes: [day] })
  const data = { date: '2024-01-01', name: 'one' }
  const days = repositories(kernel)('day')
  await days.create({ data })
  const { details } = await thrown(t, () => days.create({ data }))
  t.match(details, { errors: [{ path: ['date'] }, { path: ['name'] }] })
})

t.test('of many creations with one unique value exactly one succeeds', async t => {
  const file = join(await temporary(t), 'data.db')
  const seat = [type('seat', { number: { type: 'string', unique: true } })]
  const count = (results: readonly string[], word: string) => results.filter(one => one === word).length
  const kernel = await boot(t, { file, contentTypes: seat })
  const settled = await Promise.allSettled(
    Array.from({ length: 100 }, () => kernel.query(uid('seat')).create({ data: { number: '1A' } })),
  )
  const messages = settled.map(one => (one.status === 'fulfilled' ? 'created' : String(one.reason.message)))
  t.equal(count(messages, 'created'), 1)
  t.equal(count(messages, 'This attribute must be unique'), 99)

  const others = [1, 2].map(() => fork(join(import.meta.dirname, '../fixtures/writing-process.ts'), [file, '50']))
  const hear = async (child: ChildProcess) => (await once(child, 'message'))[0] as string[]
  await Promise.all(others.map(hear))
  const answers = others.map(hear)
  const ended = others.map(child => once(child, 'exit'))
  for (const child of others) child.send('go')
  const all = (await Promise.all(answers)).flat()
  await Promise.all(ended)
  t.equal(count(all, 'created'), 1)
  t.equal(count(all, 'This attribute must be unique'), 99)
  t.equal(Number((await raw(kernel, 'SELECT COUNT(*) AS n FROM seats'))[0]!.n), 2)
})
