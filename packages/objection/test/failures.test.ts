// Queries of models fail like those of the kernel: what the database cannot do now is a 503, and the next query has a sound
// connection.

import { createKernel, type Kernel } from '@plinth/kernel'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import { startProxy } from '@plinth/test-tools/proxy'
import { modelsOf } from '../src/index.ts'
import { thrown, type, uid } from './fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string' } })]
const busy = { status: 503, name: 'ServiceUnavailableError', retryAfter: Number }

/** Asks for all pages by the model. */
const read = (kernel: Kernel) => modelsOf(kernel).get(uid('page')).query()

await onEach('a server that is away', async (t, client) => {
  if (client === 'sqlite') return
  const proxy = await startProxy(t, await fresh(t))
  const kernel = await createKernel({ database: { ...proxy.config, pool: { min: 0, max: 2 } }, contentTypes })
  t.teardown(() => kernel.close())
  await read(kernel)
  // The idle connections end, and new ones cannot be opened.
  proxy.cut()
  t.match(await thrown(t, async () => read(kernel)), busy)
  t.match(await thrown(t, async () => read(kernel)), busy, 'again')
  proxy.mend()
  t.same(await read(kernel), [], 'afterwards')
  t.equal(kernel.connections.busy, 0)
})

await onEach('a file that is read-only', async (t, client) => {
  if (client !== 'sqlite') return
  const { config } = await fresh(t)
  const kernel = await createKernel({ database: config, contentTypes })
  t.teardown(() => kernel.close())
  await kernel.knex.raw('PRAGMA query_only = 1')
  const error = await thrown(t, async () => read(kernel).insert({ title: 'a' } as object))
  t.match(error, { ...busy, message: 'The database is read-only' })
  await kernel.knex.raw('PRAGMA query_only = 0')
  t.same(await read(kernel), [], 'afterwards')
  t.equal(kernel.connections.busy, 0)
})
