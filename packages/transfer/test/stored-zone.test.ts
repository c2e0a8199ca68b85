// Archives have moments, also of databases that store datetimes in the local time of a zone. SQLite stores moments, and is
// not concerned by the setting.

import { createKernel } from '@plinth/kernel'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import { readTables, TransferWriter } from '../src/index.ts'

const winter = '2024-01-15T23:15:00.123Z'
const summer = '2024-06-30T23:15:00.500Z'

const uid = 'api::event.event'
const event = {
  uid,
  kind: 'collectionType',
  collectionName: 'events',
  info: { singularName: 'event', pluralName: 'events', displayName: 'event' },
  attributes: { at: { type: 'datetime' }, stamp: { type: 'timestamp' }, day: { type: 'date' } },
}

await onEach('an archive has moments, which another database stores in its own zone', async (t, client) => {
  const zones = client === 'sqlite' ? [undefined, undefined] : ['Europe/Paris', 'America/New_York']
  const [from, to] = await Promise.all(
    zones.map(async zone => {
      const { config } = await fresh(t)
      const database = zone === undefined ? config : { ...config, storedTimeZone: zone }
      const kernel = await createKernel({ database, contentTypes: [event] })
      t.teardown(() => kernel.close())
      return kernel
    }),
  )
  const entry = await from!.query(uid).create({ data: { at: summer, stamp: winter, day: '2024-06-30' } })
  const writer = new TransferWriter(to!)
  await readTables(from!, async reader => {
    const events = reader.tables.find(table => table.name === uid)!
    for await (const rows of reader.pages(events)) {
      t.match(rows, [{ at: summer, stamp: String(Date.parse(winter)), createdAt: entry.createdAt, day: '2024-06-30' }])
      await to!.transaction(tx => writer.insert(tx, events, rows))
    }
  })
  t.match(await to!.query(uid).findOne(1), entry)
})
