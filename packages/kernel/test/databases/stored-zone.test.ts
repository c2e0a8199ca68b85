// Datetimes that are stored in the local time of a zone, as v4 stored them where its process did not run in UTC. SQLite
// stores moments, and is not concerned by the setting.

import type { Client, TestDatabase } from '@plinth/test-tools/databases'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import {
  compare,
  createContext,
  createKernel,
  type Entry,
  type Kernel,
  openAccess,
  perRequest,
} from '../../src/index.ts'
import { component, folder, raw, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('event', {
    name: { type: 'string' },
    at: { type: 'datetime' },
    stamp: { type: 'timestamp' },
    day: { type: 'date' },
    hour: { type: 'time' },
    talk: { type: 'component', component: 'a.talk' },
    parent: { type: 'relation', relation: 'manyToOne', target: uid('event') },
  }),
]
const components = { 'a.talk': component('a.talk', { begins: { type: 'datetime' } }) }

async function open(t: Test, database: TestDatabase, setting: Readonly<Record<string, unknown>>): Promise<Kernel> {
  const { client, connection } = database.config
  const { timezone, ...outer } = setting
  const config = { client, connection: { ...connection, ...(timezone !== undefined && { timezone }) }, ...outer }
  const kernel = await createKernel({ database: config, contentTypes, components })
  t.teardown(() => kernel.close())
  return kernel
}

const settings = [
  { zone: 'Europe/Paris', setting: { storedTimeZone: 'Europe/Paris' } },
  { zone: 'America/New_York', setting: { timezone: 'America/New_York' } },
  { zone: '-03:30', setting: { timezone: '-03:30' } },
]

/** What a clock on the wall of the zone shows, as v4's drivers write it. */
const wall = (zone: string, moment: string) =>
  `${new Date(moment).toLocaleString('sv-SE', { timeZone: zone })}.${moment.slice(20, 23)}`

const winter = '2024-01-15T23:15:00.123Z'
const summer = '2024-06-30T23:15:00.500Z'

/** Rows as v4 leaves them. */
async function insert(kernel: Kernel, zone: string, moments: readonly string[]): Promise<void> {
  for (const [i, moment] of moments.entries()) {
    const text = wall(zone, moment)
    const values = `${i + 1}, 'e${i + 1}', '${text}', '${text}', '2024-06-30', '23:15:00', '${text}', '${text}'`
    await raw(
      kernel,
      `INSERT INTO events (id, name, at, stamp, day, "hour", created_at, updated_at) VALUES (${values})`,
    )
  }
}

await onEach('times of a database that v4 filled are read, filtered and sorted by its zone', async (t, client) => {
  if (client === 'sqlite') return
  for (const { zone, setting } of settings)
    await t.test(zone, async t => {
      const kernel = await open(t, await fresh(Object.assign(t, { context: { client } })), setting)
      await insert(kernel, zone, [winter, summer, '2024-07-01T00:15:00.000Z'])
      const events = kernel.query(uid('event'))
      const first = await events.findOne(2)
      t.match(first, { at: summer, createdAt: summer, updatedAt: summer, stamp: String(Date.parse(summer)) })
      t.match(first, { day: '2024-06-30', hour: /^23:15:00/ }, 'dates and times do not move')
      const ids = async (filters: object) => (await events.findMany({ filters, sort: 'id' })).map(one => one.id)
      for (const name of ['at', 'stamp', 'createdAt']) {
        t.same(await ids({ [name]: summer }), [2])
        t.same(await ids({ [name]: { $ne: summer } }), [1, 3])
        t.same(await ids({ [name]: { $in: [winter, '2024-07-01T00:15:00.000Z', '2030-01-01T00:00:00.000Z'] } }), [1, 3])
        t.same(await ids({ [name]: { $notIn: [winter] } }), [2, 3])
        t.same(await ids({ [name]: { $gt: summer } }), [3])
        t.same(await ids({ [name]: { $gte: summer } }), [2, 3])
        t.same(await ids({ [name]: { $lt: summer } }), [1])
        t.same(await ids({ [name]: { $lte: Date.parse(summer) } }), [1, 2])
        t.same(await ids({ [name]: { $between: [winter, summer] } }), [1, 2])
        t.same(await ids({ $not: { [name]: { $between: [winter, summer] } } }), [3])
        t.same(await ids({ [name]: { $contains: String(Date.parse(summer)) } }), [2], 'text operators see the moment')
        t.same(await ids({ [name]: { $startsWith: String(Date.parse(winter)) } }), [1])
      }
      t.same(await ids({ day: '2024-06-30', hour: '23:15:00.000' }), [1, 2, 3])
      t.same(
        (await events.findMany({ sort: 'at:desc' })).map(one => one.id),
        [3, 2, 1],
      )
      const found = await kernel.database.knex('events').where('at', new Date(summer)).select('id')
      t.same(
        found.map((one: { id: number }) => one.id),
        [2],
        'knex binds a Date by the zone',
      )
    })
})

await onEach('what is written is read again, by v4 too', async (t, client) => {
  for (const { zone, setting } of settings)
    await t.test(zone, async t => {
      const database = await fresh(Object.assign(t, { context: { client } }))
      const kernel = await open(t, database, client === 'sqlite' ? { storedTimeZone: zone } : setting)
      const events = kernel.query(uid('event'))
      const data = { name: 'a', at: summer, stamp: winter, day: '2024-06-30', hour: '23:15:00.000' }
      const made = (await events.create({ data: { ...data, talk: { begins: winter } }, populate: ['talk'] })) as Entry
      t.match(made, { at: summer, stamp: String(Date.parse(winter)), day: '2024-06-30', talk: { begins: winter } })
      const age = Math.abs(Date.now() - Date.parse(made.createdAt as string))
      t.ok(age < 60_000, 'created now')
      const changed = await events.update(made.id as number, { data: { at: winter, parent: made.id } })
      t.match(changed, { at: winter, createdAt: made.createdAt })
      t.equal((await events.count({ filters: { parent: { at: winter }, talk: { begins: winter } } })) as number, 1)
      await kernel.stamp(uid('event'), 'at', new Map([[made.id as number, new Date(summer)]]))
      t.match(await events.findOne(made.id as number), { at: summer })
      if (client === 'sqlite') return
      const shown = client === 'mysql' ? 'CAST(at AS CHAR)' : 'CAST(at AS text)'
      const [row] = await raw(
        kernel,
        `SELECT ${shown} AS at, CAST(${client === 'mysql' ? 'stamp AS CHAR' : 'stamp AS text'}) AS stamp FROM events`,
      )
      t.equal(String(row!.at).slice(0, 21), wall(zone, summer).slice(0, 21))
      t.equal(String(row!.stamp).slice(0, 23), wall(zone, winter))
    })
})

await onEach(
  'the doubled hour of autumn is its first, and a time that spring leaves out is an hour later',
  async (t, client) => {
    if (client === 'sqlite') return
    const kernel = await open(t, await fresh(t), { storedTimeZone: 'Europe/Paris' })
    const events = kernel.query(uid('event'))
    const at = async (moment: string) => (await events.create({ data: { at: moment } })).at
    t.equal(await at('2024-10-27T00:30:00.000Z'), '2024-10-27T00:30:00.000Z')
    t.equal(
      await at('2024-10-27T01:30:00.000Z'),
      '2024-10-27T00:30:00.000Z',
      'is stored as 02:30, as the hour before it',
    )
    t.equal(await at('2024-10-27T02:30:00.000Z'), '2024-10-27T02:30:00.000Z')
    t.equal(await events.count({ filters: { at: '2024-10-27T01:30:00.000Z' } }), 2)
    await raw(kernel, `INSERT INTO events (id, name, at) VALUES (9, 'by hand', '2024-03-31 02:30:00')`)
    t.match(await events.findOne(9), { at: '2024-03-31T01:30:00.000Z' })
    for (const end of ['0001-01-01T12:00:00.000Z', '1890-05-05T12:00:00.000Z', '9999-12-31T12:00:00.000Z'])
      t.equal(await at(end), end)
    if (client === 'mysql')
      await t.rejects(
        events.create({ data: { at: '9999-12-31T23:30:00.000Z' } }),
        /must be between the years 1 and 9999/,
      )
  },
)

await onEach('rules of plugins compare by the zone', async (t, client) => {
  if (client === 'sqlite') return
  const { config } = await fresh(t)
  const database = { ...config, storedTimeZone: 'Asia/Tokyo' }
  const now = perRequest(({ state }) => state.now)
  const kernel = await createKernel({
    database,
    contentTypes,
    components,
    configure: ({ hooks }) =>
      hooks.on('prePlan', (node, { key }) => {
        if (key === 'begun') node.where(compare('at', 'lte', now))
      }),
  })
  t.teardown(() => kernel.close())
  const context = { ...createContext({ ...openAccess, key: 'begun' }), state: { now: '2024-06-30T23:14:00.000Z' } }
  const events = kernel.query(uid('event'), context)
  for (const at of [winter, summer]) await kernel.query(uid('event')).create({ data: { at } })
  t.same(
    (await events.findMany({})).map(one => one.at),
    [winter],
  )
})

await onEach('columns of PostgreSQL that hold moments are answered as such', async (t, client) => {
  if (client !== 'postgres') return
  const database = await fresh(t)
  for (const setting of [{}, { storedTimeZone: 'Europe/Paris' }, { timezone: '+05:30' }]) {
    const kernel = await open(t, database, setting)
    await raw(kernel, 'ALTER TABLE events ALTER COLUMN at TYPE timestamptz')
    const events = kernel.query(uid('event'))
    const moments = [summer, winter, '2024-06-30T10:00:00.000Z', '2024-10-27T01:30:00.000Z', '2024-06-30T10:00:00.200Z']
    for (const at of moments) t.equal((await events.create({ data: { at } })).at, at)
    const of = async (filters: object) => (await events.findMany({ filters })).map(one => one.at)
    t.same(await of({ at: { $in: [summer, winter] } }), [summer, winter])
    t.same(await of({ at: { $gt: moments[3] } }), [])
    t.same(await of({ at: { $contains: String(Date.parse(summer)) } }), [summer])
    await raw(kernel, 'DELETE FROM events')
  }
})

/** Runs `work` as if the process had been started in a zone. */
async function inZone(name: string, work: () => Promise<void>): Promise<void> {
  const before = process.env.TZ
  process.env.TZ = name
  try {
    await work()
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
}

const migration = `module.exports = {
  async up(knex) {
    await knex('events').insert({ id: 1, at: new Date('${summer}') })
    await knex.raw('INSERT INTO events (id, at) VALUES (?, ?)', [2, new Date('${winter}')])
    const row = await knex('events').where({ at: new Date('${summer}') }).first()
    await knex('events').insert({ id: 3, at: row.at })
  },
}`

const zones = [{}, { storedTimeZone: 'America/New_York' }, { timezone: 'local' }]

await onEach(
  'a migration file writes and reads a Date by the stored zone, whatever the zone of the process is',
  async (t, client) => {
    for (const setting of client === 'sqlite' ? zones.slice(0, 1) : zones)
      await inZone('Europe/Paris', async () => {
        const database = await fresh(t)
        await (await open(t, database, setting)).close()
        const dir = await folder(t, { 'database/migrations/1.js': migration })
        const { client: name, connection } = database.config
        const { timezone, ...outer } = setting as { timezone?: string }
        const config = { client: name, connection: { ...connection, ...(timezone && { timezone }) }, ...outer }
        const kernel = await createKernel({ dir, database: config, contentTypes, components })
        t.teardown(() => kernel.close())
        const found = await kernel.query(uid('event')).findMany({ sort: 'id' })
        t.same(
          found.map(one => one.at),
          [summer, winter, summer],
          JSON.stringify(setting),
        )
      })
  },
)

await onEach('steps of a migration convert by the zone', async (t, client) => {
  if (client === 'sqlite') return
  for (const storedTimeZone of ['Europe/Paris', '-03:30']) {
    const { config } = await fresh(t)
    const database = { ...config, storedTimeZone }
    const start = async (at: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => {
      const made = type('event', { name: { type: 'string' }, ...at })
      const kernel = await createKernel({ database, contentTypes: [made], migrate: 'apply' })
      t.teardown(() => kernel.close())
      return kernel
    }
    const first = await start({ at: { type: 'datetime' } })
    for (const at of [summer, winter]) await first.query(uid('event')).create({ data: { at } })
    await first.close()
    const second = await start({ at: { type: 'string' } })
    t.same(
      (await second.query(uid('event')).findMany({ sort: 'id' })).map(one => one.at),
      [summer, winter],
    )
    const { quote } = second.database.dialect
    const [row] = await raw(second, `SELECT ${second.database.ddl.values.now} AS ${quote('now')}`)
    const now = row!.now instanceof Date ? row!.now.getTime() : Date.parse(`${String(row!.now).replace(' ', 'T')}Z`)
    const local =
      row!.now instanceof Date
        ? Date.now()
        : Date.parse(`${wall(storedTimeZone, new Date().toISOString()).replace(' ', 'T')}Z`)
    t.ok(Math.abs(now - local) < 10_000)
    await second.close()
  }
})

t.test('an unknown zone stops the start', async t => {
  for (const client of ['mysql', 'postgres'] as Client[]) {
    const database = { client, connection: { database: 'x', port: 1 }, storedTimeZone: 'Europe/Rom' }
    await t.rejects(createKernel({ database, contentTypes, components }), {
      code: 'PLINTH_CONFIG_INVALID',
      message: /did you mean "Europe\/Rome"\?/,
    })
  }
})
