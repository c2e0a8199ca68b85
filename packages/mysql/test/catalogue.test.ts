// The catalogue is read whole while another connection changes tables, also on a connection that holds a lock: there, the
// information schema leaves such tables out.

import { createKernel } from '@plinth/kernel'
import { makePlan } from '@plinth/kernel/migrate'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import { type } from '@plinth/test-tools/fixtures'
import t from 'tap'

if ((await databases()).includes('mysql'))
  t.test('a plan under a lock knows the tables that others change', async t => {
    const database = await freshDatabase('mysql')
    const kernel = await createKernel({
      database: database.config,
      contentTypes: [type('page', { title: { type: 'string' }, rank: { type: 'integer', indexed: true } })],
    })
    const other = await database.open()
    t.teardown(async () => {
      await other.close()
      await kernel.close()
      await database.drop()
    })
    const { ddl } = kernel.database
    let isEnded = false
    const change = async () => {
      for (let i = 0; i < 60; i++) {
        await other.run('CREATE INDEX other ON pages (title) ALGORITHM = INPLACE LOCK = NONE')
        await other.run('DROP INDEX other ON pages')
      }
      isEnded = true
    }
    const plan = () =>
      kernel.database.readUnlimited(async session => {
        let plans = 0
        await session.all(ddl.lock.take(10)!, [])
        for (; !isEnded; plans++) {
          const { steps } = await makePlan(ddl, session, kernel.contentTypes, { drops: false })
          t.same(
            steps.map(step => step.name),
            [],
          )
        }
        await session.all(ddl.lock.release!, [])
        return plans
      })
    const [plans] = await Promise.all([plan(), change()])
    t.ok(plans > 0, `${plans} plans`)
  })
