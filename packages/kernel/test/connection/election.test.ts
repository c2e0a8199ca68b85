// The election among the processes of a database on PostgreSQL: who is elected stays so, and the next one follows.

import { databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import { untilEqual } from '@plinth/test-tools/until-equal'
import t, { type Test } from 'tap'
import { resolveDatabase } from '../../src/databases/config.ts'
import { openDatabase } from '../../src/databases/open.ts'

/** Milliseconds between two attempts of a process. */
const interval = 30_000

/** A process that takes part in the election, and its next attempt. */
async function stand(t: Test, { config }: TestDatabase) {
  const database = await openDatabase(await resolveDatabase(config, '.'), () => {})
  t.teardown(() => database.close())
  let attempt = () => {}
  const { setInterval } = globalThis
  globalThis.setInterval = ((callback: () => void, ms: number) => {
    if (ms === interval) attempt = callback
    return setInterval(callback, ms)
  }) as typeof setInterval
  try {
    await database.joinElection()
  } finally {
    globalThis.setInterval = setInterval
  }
  return { database, attempt: () => attempt() }
}

if ((await databases()).includes('postgres')) {
  t.test('the elected process stays elected, and is followed when it ends', async t => {
    const fresh = await freshDatabase('postgres')
    t.teardown(() => fresh.drop())
    const [first, second] = [await stand(t, fresh), await stand(t, fresh)]
    t.same([first.database.assignsWholePlaces, second.database.assignsWholePlaces], [true, false])
    const opened = await fresh.open()
    t.teardown(() => opened.close())
    /** The connection that holds the lock, in its transaction. */
    const holder = async (ran: string) =>
      (
        await opened.all(`SELECT pid FROM pg_stat_activity WHERE datname = CURRENT_DATABASE()
        AND state = 'idle in transaction' AND query LIKE '${ran}%'`)
      ).map(({ pid }) => String(pid))
    const [pid] = await holder('SET LOCAL')
    for (const time of ['once', 'twice']) {
      first.attempt()
      await untilEqual(async () => (await holder('SELECT 1')).length, 1)
      t.same(await holder('SELECT 1'), [pid], `it has used its connection ${time}`)
      t.equal(first.database.assignsWholePlaces, true)
    }
    await opened.run(`SELECT pg_terminate_backend(${pid})`)
    await untilEqual(async () => Number(first.database.assignsWholePlaces), 0)
    second.attempt()
    await untilEqual(async () => Number(second.database.assignsWholePlaces), 1)
    t.same([first.database.assignsWholePlaces, second.database.assignsWholePlaces], [false, true])
  })
}
