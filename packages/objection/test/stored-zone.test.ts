// Models convert datetimes that are stored in the local time of a zone. SQLite stores moments, and is not concerned by the
// setting.

import { createKernel } from '@plinth/kernel'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import { modelsOf } from '../src/index.ts'
import { type, uid } from './fixtures/boot.ts'

const summer = '2024-06-30T23:15:00.500Z'

await onEach('models of Objection convert by the zone', async (t, client) => {
  const { config } = await fresh(t)
  const database = client === 'sqlite' ? config : { ...config, storedTimeZone: 'Asia/Kolkata' }
  const kernel = await createKernel({ database, contentTypes: [type('event', { at: { type: 'datetime' } })] })
  t.teardown(() => kernel.close())
  const Event = modelsOf(kernel).get(uid('event'))
  await Event.query().insert({ at: summer } as never)
  t.match(await kernel.query(uid('event')).findOne(1), { at: summer })
  t.match(await Event.query().where('at', summer), [{ at: summer }])
})
