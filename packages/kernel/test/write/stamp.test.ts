// kernel.stamp: sets a datetime of entries past hooks and checks, on the database of the run.

import { freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { openAccess } from '../../src/index.ts'
import { boot, client, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [type('key', { label: { type: 'string' }, usedAt: { type: 'datetime' }, day: { type: 'date' } })]

t.test('each entry gets its time, in one statement, and nothing else happens', async t => {
  const said: string[] = []
  const written: string[] = []
  const kernel = await boot(t, {
    contentTypes,
    configure(kernel) {
      kernel.hooks.on('onStatement', text => void said.push(text))
      kernel.hooks.on('onCommit', writes => void written.push(...writes.map(write => write.action)))
      kernel.lifecycles.subscribe(null, { beforeUpdate: () => void written.push('lifecycle') })
    },
  })
  const keys = kernel.query(uid('key'))
  const [a, b, c] = [
    await keys.create({ data: { label: 'a' } }),
    await keys.create({ data: { label: 'b' } }),
    await keys.create({ data: { label: 'c', usedAt: '2020-01-01T00:00:00.000Z' } }),
  ]
  said.length = 0
  written.length = 0
  const times = ['2026-01-02T03:04:05.678Z', '1999-12-31T23:59:59.999Z'].map(text => new Date(text))
  await kernel.stamp(
    uid('key'),
    'usedAt',
    new Map([
      [a!.id, times[0]!],
      [b!.id, times[1]!],
      [99, times[0]!],
    ]),
  )
  t.equal(said.filter(text => /UPDATE/.test(text)).length, 1)
  t.same(written, [])
  t.same(await keys.findMany({ sort: 'id' }), [
    { ...a, usedAt: times[0]!.toISOString() },
    { ...b, usedAt: times[1]!.toISOString() },
    c,
  ])
  said.length = 0
  await kernel.stamp(uid('key'), 'usedAt', new Map())
  t.same(said, [], 'nothing for nothing')
})

t.test('more entries than one statement takes', async t => {
  const kernel = await boot(t, { contentTypes })
  const keys = kernel.query(uid('key'))
  const { id } = await keys.create({ data: { label: 'last' } })
  const time = new Date('2026-01-02T03:04:05.678Z')
  const times = new Map(Array.from({ length: 12_000 }, (_, i) => [1_000_000 + i, time]))
  times.set(id, time)
  await kernel.stamp(uid('key'), 'usedAt', times)
  t.match(await keys.findOne(id), { usedAt: time.toISOString() })
})

t.test('in a transaction it belongs to it', async t => {
  const kernel = await boot(t, { contentTypes })
  const keys = kernel.query(uid('key'))
  const { id } = await keys.create({ data: { label: 'a' } })
  const work = kernel.transaction(async () => {
    await kernel.stamp(uid('key'), 'usedAt', new Map([[id, new Date()]]))
    throw new TypeError('no')
  })
  await t.rejects(work, new TypeError('no'))
  t.match(await keys.findOne(id), { usedAt: null })
})

t.test('totals that are remembered stay', { skip: client() === 'sqlite' }, async t => {
  const { config, drop } = await freshDatabase(client())
  const said: string[] = []
  const kernel = await boot(t, {
    database: { ...config, rememberTotals: true },
    contentTypes,
    configure: kernel => kernel.hooks.on('onStatement', text => void said.push(text)),
  })
  t.teardown(drop)
  const keys = kernel.query(uid('key'), kernel.context(openAccess))
  const { id } = await keys.create({ data: { label: 'a' } })
  await keys.create({ data: { label: 'b' } })
  const counts = async () => {
    said.length = 0
    await keys.findPage({ pagination: { page: 1, pageSize: 1 } })
    return said.filter(text => /COUNT/i.test(text)).length
  }
  t.equal(await counts(), 1)
  t.equal(await counts(), 0, 'is remembered')
  await kernel.stamp(uid('key'), 'usedAt', new Map([[id, new Date()]]))
  t.equal(await counts(), 0, 'after a stamp, too')
  await keys.update(id, { data: { label: 'c' } })
  t.equal(await counts(), 1, 'but not after a write')
})

t.test('what is no datetime is refused', async t => {
  const kernel = await boot(t, { contentTypes })
  const ask = (type: string, name: string) => thrown(t, () => kernel.stamp(type, name, new Map([[1, new Date()]])))
  t.match(await ask(uid('key'), 'usedat'), {
    code: 'PLINTH_ATTRIBUTE_UNKNOWN',
    message: /no datetime "usedat", did you mean "usedAt"/,
  })
  t.match(await ask(uid('key'), 'day'), { code: 'PLINTH_ATTRIBUTE_UNKNOWN' })
  t.match(await ask(uid('kay'), 'usedAt'), { code: 'PLINTH_TYPE_UNKNOWN' })
})
