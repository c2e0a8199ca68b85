// The elected process keeps a transaction open as long as it runs, and nobody waits for its end.

import { createKernel } from '@plinth/kernel'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import { type } from '@plinth/test-tools/fixtures'
import t from 'tap'

if ((await databases()).includes('postgres'))
  t.test('the transaction of the election has no snapshot', async t => {
    const database = await freshDatabase('postgres')
    const contentTypes = [type('page', { title: { type: 'string' } })]
    const kernels = [
      await createKernel({ database: database.config, contentTypes }),
      await createKernel({ database: database.config, contentTypes }),
    ]
    const opened = await database.open()
    t.teardown(async () => {
      await opened.close()
      for (const kernel of kernels) await kernel.close()
      await database.drop()
    })
    t.equal(kernels[0]!.database.assignsWholePlaces, true)
    const held = await opened.all(`SELECT state, backend_xmin FROM pg_stat_activity
      WHERE datname = CURRENT_DATABASE() AND state LIKE 'idle in transaction%'`)
    t.same(held, [{ state: 'idle in transaction', backend_xmin: null }], 'so that dead rows can be removed')
    await opened.run('CREATE INDEX CONCURRENTLY own ON pages (title)')
    t.pass('and indexes can be made')
  })
