// A process that is busy with other work while a connection opens does not take the server for one that is away.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { repeatIfBlocked } from '../../src/connection/blocked-loop.ts'
import { createKernel } from '../../src/index.ts'
import { type } from '../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string' } })]

/** Keeps the event loop from doing anything else. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

for (const client of await databases())
  t.test(`${client}: the loop is blocked for longer than a connection may take to open`, async t => {
    const database = await freshDatabase(client)
    const lines: string[] = []
    const log = {
      info() {},
      debug() {},
      warn: (line: string) => lines.push(line),
      error: (line: string) => lines.push(line),
    }
    const kernel = await createKernel({
      database: { ...database.config, pool: { min: 0, max: 4 }, acquireTimeout: 700 },
      contentTypes,
      logger: log as never,
    })
    t.teardown(async () => {
      await kernel.close()
      await database.drop()
    })
    const pages = kernel.query('api::page.page')
    const writes = Promise.all(['a', 'b', 'c'].map(title => pages.create({ data: { title } })))
    // The connections begin to open in between.
    setImmediate(() => setImmediate(() => block(900)))
    t.match(await writes, [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
    t.same(lines, [], 'no outage is logged')
  })

t.test('only what took too long in a busy process is repeated', async t => {
  const attempts = { quick: 0, idle: 0, busy: 0 }
  const failing = (name: keyof typeof attempts, limit: number, work: () => Promise<unknown>) =>
    repeatIfBlocked(limit, async () => {
      attempts[name]++
      await work()
      throw new Error(name)
    })
  // The limits are wide, because other processes may keep this one from running.
  await t.rejects(
    failing('quick', 60_000, async () => block(10)),
    { message: 'quick' },
  )
  await t.rejects(
    failing('idle', 50, () => new Promise(resolve => setTimeout(resolve, 1500))),
    { message: 'idle' },
  )
  await t.rejects(
    failing('busy', 50, async () => block(60)),
    { message: 'busy' },
  )
  t.same(attempts, { quick: 1, idle: 1, busy: 3 })
})
