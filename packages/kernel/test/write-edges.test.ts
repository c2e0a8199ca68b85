// What callers may send at the edges of the rules: attributes that are closed to them, values repeated within one entry,
// values that are no values, ids that no entry has.

import t from 'tap'
import { freshDatabase } from '@plinth/testing/databases'
import { createContext, createKernel, openAccess } from '../src/index.ts'
import { boot, client, component, raw, repositories, thrown, type, uid } from './fixtures/boot.ts'

t.test('attributes that are not writable are dropped from what callers send', async t => {
  const closed = { type: 'string', writable: false }
  const kernel = await boot(t, {
    components: { 'a.part': component('a.part', { label: { type: 'string' }, closed }) },
    contentTypes: [
      type('thing', {
        name: { type: 'string' },
        closed: { ...closed, default: 'by default' },
        hooked: closed,
        part: { type: 'component', component: 'a.part' },
        parts: { type: 'component', component: 'a.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['a.part'] },
      }),
    ],
    configure: kernel => kernel.hooks.on('preWrite', write => void Object.assign(write.data, { hooked: 'by a hook' })),
  })
  const part = { label: 'l', closed: 'sent' }
  const data = { name: 'n', closed: 'sent', part, parts: [part], zone: [{ __component: 'a.part', ...part }] }
  const populate = ['part', 'parts', 'zone']
  const kept = { label: 'l', closed: null }
  const callers = kernel.query(uid('thing'), createContext(openAccess))
  const made = await callers.create({ data, populate })
  t.match(made, { name: 'n', closed: 'by default', hooked: 'by a hook', part: kept, parts: [kept], zone: [kept] })
  t.match(await callers.update(made.id, { data: { name: 'm', closed: 'sent' } }), { name: 'm', closed: 'by default' })

  const trusted = repositories(kernel)('thing')
  t.match(await trusted.create({ data }), { closed: 'sent' }, 'trusted code sets them')
})

t.test('a unique value sent twice for an entry', async t => {
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

t.test('what has no number or yes and no in it is refused', async t => {
  const kernel = await boot(t, {
    contentTypes: [type('thing', { big: { type: 'biginteger' }, flag: { type: 'boolean' } })],
  })
  const things = repositories(kernel)('thing')
  for (const big of [{}, { a: 1 }, [], [1, 2], [{}], [[1]], Number.POSITIVE_INFINITY, Number.NaN])
    t.match(await thrown(t, () => things.create({ data: { big } })), {
      status: 400,
      details: { errors: [{ path: ['big'], message: 'big must be a 64-bit whole number' }] },
    })
  for (const flag of [[true], ['1'], [1], {}])
    t.match(await thrown(t, () => things.create({ data: { flag } })), { details: { errors: [{ path: ['flag'] }] } })
  for (const big of [5, '5', [5]]) t.match(await things.create({ data: { big } }), { big: '5' })
})

t.test('a write leaves alone what hangs on a component whose file is gone', async t => {
  const { config: database, drop } = await freshDatabase(client())
  t.teardown(drop)
  const part = component('s.a', { x: { type: 'string' } })
  const model = (components: Record<string, unknown>) => ({
    components,
    contentTypes: [type('art', { z: { type: 'dynamiczone', components: Object.keys(components) } })],
  })
  const first = await createKernel({
    database,
    ...model({ 's.a': part, 's.b': component('s.b', { y: { type: 'string' } }) }),
  })
  const z = [
    { __component: 's.b', y: 'kept' },
    { __component: 's.a', x: 'old' },
  ]
  await first.query(uid('art')).create({ data: { z } })
  await first.close()
  const second = await boot(t, { database, ...model({ 's.a': part }) })
  const arts = repositories(second)('art')
  const written = await arts.update(1, { data: { z: [{ __component: 's.a', x: 'new' }] }, populate: 'z' })
  t.match(written, { z: [{ x: 'new' }] })
  t.match(await raw(second, 'SELECT component_type FROM arts_components ORDER BY component_type'), [
    { component_type: 's.a' },
    { component_type: 's.b' },
  ])
  t.match(await raw(second, 'SELECT y FROM components_s_bs'), [{ y: 'kept' }])
  await arts.update(1, { data: { z: [] } })
  t.equal((await raw(second, 'SELECT * FROM arts_components')).length, 1)
})

t.test('ids that no entry can have are those of no entry', async t => {
  const kernel = await boot(t, { contentTypes: [type('thing', { name: { type: 'string', unique: true } })] })
  const things = repositories(kernel)('thing')
  await things.create({ data: { name: 'a' } })
  for (const id of [2_147_483_647, 2_147_483_648, 3_000_000_000, Number.MAX_SAFE_INTEGER, -1, 1.5, 'one']) {
    for (const data of [{}, { name: 'b' }, { name: 5 }]) t.equal(await things.update(id, { data }), null)
    t.equal(await things.delete(id), null)
  }
  t.same(
    (await things.findMany()).map(one => one.name),
    ['a'],
  )
})
