// The internals of knex on which connection/knex-internals.ts relies exist in the installed version.

import { createRequire } from 'node:module'
import t from 'tap'
import { clientOf } from '../../src/connection/knex-internals.ts'
import { boot, type } from '../fixtures/boot.ts'

t.test('the installed knex has the version that was tested', async t => {
  const { version } = createRequire(import.meta.url)('knex/package.json') as { version: string }
  t.match(version, /^3\.3\./, 'look at connection/knex-internals.ts, and name the version there')
})

t.test('the members of knex that are used exist', async t => {
  const kernel = await boot(t, { contentTypes: [type('page', {})] })
  const client = clientOf(kernel.database.knex)
  for (const name of [
    'takeConnection',
    'returnConnection',
    'validateConnection',
    'acquireRawConnection',
    'destroyRawConnection',
  ] as const)
    t.type(client[name], 'function', name)
  t.type(client.pool.max, 'number')
  t.equal(client.pool.numUsed() + client.pool.numFree(), 1)
})
