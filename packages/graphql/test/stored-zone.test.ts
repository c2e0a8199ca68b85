// Datetimes of a database that stores local times: GraphQL answers and filters by them, and so does REST.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { start } from './fixtures/boot.ts'

const info = { singularName: 'event', pluralName: 'events', displayName: 'Event' }
const attributes = { at: { type: 'datetime' }, stamp: { type: 'timestamp' }, day: { type: 'date' } }
const contentTypes = [{ kind: 'collectionType', collectionName: 'events', info, attributes }]

const [summer, winter] = ['2024-07-01T10:00:00.000Z', '2024-01-01T23:30:00.250Z']

await onEach('GraphQL and REST by the stored zone', async (t, client) => {
  const { config } = await fresh(t)
  const { app, ask, kernel } = await start(t, {
    database: { ...config, storedTimeZone: 'Europe/Paris' },
    contentTypes,
    components: {},
  })
  const made = await ask(
    `mutation { a: createEvent(data: { at: "${summer}", stamp: "${winter}", day: "2024-01-01" }) { data { id } }
      b: createEvent(data: { at: "${winter}", stamp: "${summer}" }) { data { attributes { at stamp day } } } }`,
  )
  t.match(made.body.data.b, { data: { attributes: { at: winter, stamp: summer, day: null } } })
  const asked = await ask(
    `{ events(filters: { at: { gte: "${summer}" } }) { data { attributes { at stamp day createdAt } } }
      some: events(filters: { stamp: { in: ["${summer}"] } }, sort: "at") { data { id } } }`,
  )
  t.match(asked.body.data.events.data, [{ attributes: { at: summer, stamp: winter, day: '2024-01-01' } }])
  t.ok(Math.abs(Date.now() - Date.parse(asked.body.data.events.data[0].attributes.createdAt)) < 60_000)
  t.same(asked.body.data.some.data, [{ id: '2' }])
  const { data } = (
    await app.inject(`/api/events?filters[at][$between][0]=${winter}&filters[at][$between][1]=${winter}`)
  ).json()
  t.match(data, [{ id: 2, attributes: { at: winter, stamp: String(Date.parse(summer)) } }])
  if (client === 'sqlite') return
  const rows = await kernel
    .knex('events')
    .select(kernel.knex.raw(`CAST(at AS ${client === 'mysql' ? 'CHAR' : 'text'}) AS at`))
  t.match(
    rows.map((row: { at: string }) => row.at.slice(0, 19)),
    ['2024-07-01 12:00:00', '2024-01-02 00:30:00'],
  )
})
