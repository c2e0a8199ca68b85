// Datetimes that SQLite has as text, because SQL of a migration file or of another program wrote them: read as UTC, and
// stored as moments by the next start.

import { createKernel } from '@plinth/kernel'
import { applyMigrations, planMigrations } from '@plinth/kernel/migrate'
import { freshDatabase } from '@plinth/test-tools/databases'
import { folder, type, uid } from '@plinth/test-tools/fixtures'
import t from 'tap'
import { raw } from './fixtures/boot.ts'

const contentTypes = [
  type('event', {
    name: { type: 'string' },
    at: { type: 'datetime' },
    stamp: { type: 'timestamp' },
    day: { type: 'date' },
  }),
]

const texts = [
  ['2024-06-01 12:00:00', '2024-06-01T12:00:00.000Z'],
  ['2024-06-01 12:00:00.5', '2024-06-01T12:00:00.500Z'],
  ['2024-06-01T12:00:00.123456', '2024-06-01T12:00:00.123Z'],
  ['2024-06-01T14:00:00+02:00', '2024-06-01T12:00:00.000Z'],
  ['2024-06-01 12:00', '2024-06-01T12:00:00.000Z'],
  ['2024-06-01', '2024-06-01T00:00:00.000Z'],
  [' 2024-06-01 12:00:00 ', '2024-06-01T12:00:00.000Z'],
  ['Sat, 01 Jun 2024 12:00:00 GMT', '2024-06-01T12:00:00.000Z'],
  ['soon', null],
] as const

for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata'])
  t.test(zone, async t => {
    const before = process.env.TZ
    process.env.TZ = zone
    t.teardown(() => {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    })
    const { config: database, drop } = await freshDatabase('sqlite')
    t.teardown(drop)
    const open = async () => {
      const kernel = await createKernel({ database, contentTypes })
      t.teardown(() => kernel.close())
      return kernel
    }
    const first = await open()
    for (const [i, [text]] of texts.entries())
      await raw(first, `INSERT INTO events (id, at, stamp, day) VALUES (${i + 1}, '${text}', '${text}', '${text}')`)
    const answered = await first.query(uid('event')).findMany({ sort: 'id' })
    t.same(
      answered.map(one => one.at),
      texts.map(([, iso]) => iso),
      'text is read as UTC',
    )
    t.match(answered[0], { stamp: String(Date.parse('2024-06-01T12:00:00Z')) })
    await first.query(uid('event')).create({ data: { at: '2024-06-01T11:00:00.000Z' } })
    await first.close()

    const second = await open()
    const events = second.query(uid('event'))
    t.match(
      await raw(second, 'SELECT DISTINCT typeof(at) AS type, typeof(day) AS day FROM events WHERE id < 10 ORDER BY 1'),
      [
        { type: 'integer', day: 'text' },
        { type: 'text', day: 'text' },
      ],
    )
    t.same(
      (await events.findMany({ sort: 'id' })).map(one => one.at).slice(0, -1),
      texts.map(([, iso]) => iso),
    )
    t.equal((await events.findMany({ filters: { day: '2024-06-01' } })).length, 1, 'other columns stay')
    const ids = async (filters: object) => (await events.findMany({ filters, sort: ['at', 'id'] })).map(one => one.id)
    t.same(await ids({ at: '2024-06-01T12:00:00.000Z' }), [1, 4, 5, 7, 8])
    t.same(await ids({ at: { $lt: '2024-06-01T12:00:00.000Z' } }), [6, 10])
    t.same(await ids({ stamp: { $gte: '2024-06-01T12:00:00.100Z' }, at: { $lt: '2024-07-01' } }), [3, 2])
    t.same(await ids({ at: { $gt: '2030-01-01' } }), [9], 'what is no date stays as it is')
    t.same(await planMigrations(second).then(({ steps }) => steps), [], 'and is no step')
  })

const migration = `module.exports = {
  async up(knex) {
    await knex('events').where('id', 1).update({ at: knex.fn.now() })
    await knex('events').insert([{ name: 'a', at: knex.fn.now() }, { name: 'b', at: new Date('2024-06-01T12:00:00Z') }])
  },
}`

t.test('a migration file', async t => {
  const { config: database, drop } = await freshDatabase('sqlite')
  t.teardown(drop)
  const first = await createKernel({ database, contentTypes })
  await raw(
    first,
    `INSERT INTO events (id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i FROM n`,
  )
  await first.close()
  const dir = await folder(t, { 'database/migrations/1.js': migration })
  const kernel = await createKernel({ dir, database, contentTypes })
  t.teardown(() => kernel.close())
  t.same(await raw(kernel, `SELECT id FROM events WHERE typeof(at) = 'text'`), [], 'all rows are looked at')
  const events = kernel.query(uid('event'))
  const recent = new Date(Date.now() - 60_000).toISOString()
  t.equal((await events.findMany({ filters: { at: { $gt: recent } } })).length, 2)
  t.equal((await events.findMany({ filters: { at: { $gt: new Date(Date.now() + 60_000) } } })).length, 0)
  t.equal((await events.findMany({ filters: { at: '2024-06-01T12:00:00.000Z' } })).length, 1)

  await raw(kernel, `UPDATE events SET at = '2024-01-01 00:00:00' WHERE id = 5`)
  t.match((await planMigrations(kernel)).steps, [{ name: 'moments:events', risk: 'safe' }])
  t.match(await applyMigrations(kernel, []), {
    done: [{ says: 'stores datetimes of events as moments, which are text' }],
  })
  t.equal((await events.findMany({ filters: { at: { $lt: '2024-01-02' } } })).length, 1)
})

t.test('a start in production converts them too, and refuses nothing', async t => {
  const { config: database, drop } = await freshDatabase('sqlite')
  t.teardown(drop)
  const first = await createKernel({ database, contentTypes })
  await raw(first, `INSERT INTO events (at) VALUES ('2024-06-01 12:00:00')`)
  await first.close()
  const kernel = await createKernel({ database, contentTypes, migrate: 'check' })
  t.teardown(() => kernel.close())
  t.equal((await kernel.query(uid('event')).findMany({ filters: { at: '2024-06-01T12:00:00.000Z' } })).length, 1)
})
