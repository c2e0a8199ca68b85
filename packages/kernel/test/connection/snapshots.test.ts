// Reads of one snapshot: what they see while others write, and their errors when the connection is lost.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { createKernel } from '../../src/index.ts'
import { type } from '../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string' } })]

/** What a session runs to know its connection, and another one to end it. */
const servers = {
  postgres: { own: 'SELECT pg_backend_pid()', end: (id: unknown) => `SELECT pg_terminate_backend(${id})` },
  mysql: { own: 'SELECT CONNECTION_ID()', end: (id: unknown) => `KILL ${id}` },
}

await onEach('reads of one snapshot', async (t, client) => {
  const database = await fresh(t)
  const kernel = await createKernel({ database: database.config, contentTypes })
  t.teardown(() => kernel.close())
  const other = await database.open()
  t.teardown(() => other.close())
  const counts = await kernel.database.readSnapshot(async session => {
    const count = async () => Number((await session.all('SELECT COUNT(*) FROM pages', []))[0]![0])
    const before = await count()
    await other.run("INSERT INTO pages (title) VALUES ('a')")
    return [before, await count()]
  })
  t.same(counts, [0, 0])
  const refused = kernel.database.readSnapshot(() => Promise.reject(new Error('of the work')))
  await t.rejects(refused, { message: 'of the work' })
  if (client !== 'sqlite') {
    const { own, end } = servers[client]
    const lost = kernel.database.readSnapshot(async session => {
      const [[id] = []] = await session.all(own, [])
      await other.run(end(id))
      await session.all('SELECT 1', [])
    })
    await t.rejects(lost, { name: 'ServiceUnavailableError' })
  }
  t.equal(await kernel.query('api::page.page').count(), 1, 'later reads are not in the snapshot')
})
