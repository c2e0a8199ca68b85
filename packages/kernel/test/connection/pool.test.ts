// The kernel keeps connections and passes them on itself, and knex, which made them, still gets them when it needs
// them.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { createKernel } from '../../src/index.ts'
import { type } from '../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string', unique: true } })]

for (const client of await databases()) {
  t.test(`${client}: the kernel and knex share one connection`, async t => {
    const database = await freshDatabase(client)
    const kernel = await createKernel({
      database: { ...database.config, pool: { min: 0, max: 1 }, acquireTimeout: 30_000 },
      contentTypes,
    })
    t.teardown(() => database.drop())
    const pages = kernel.query('api::page.page')
    const { knex } = kernel.database
    await pages.create({ data: { title: 'first' } })
    t.equal(knex.client.pool.numUsed(), 1, 'at hand: knex counts it as in use')
    const started = Date.now()
    t.match(await knex('pages').select('title'), [{ title: 'first' }], 'knex gets it all the same')
    t.ok(Date.now() - started < 29_000, 'without waiting as long as it may')
    const titles = Array.from({ length: 8 }, (_, i) => `page ${i}`)
    const made = titles.map(title => pages.create({ data: { title } }))
    const asked = [knex('pages').count(), pages.findMany({}), knex('pages').count()]
    t.equal((await Promise.all([...made, ...asked])).length, 11, 'knex and kernel take turns')
    t.equal((await pages.findMany({})).length, 9)
    const failed = await Promise.allSettled(titles.map(title => pages.create({ data: { title } })))
    t.ok(
      failed.every(one => one.status === 'rejected'),
      'failures give it back, too',
    )
    t.equal((await pages.findMany({})).length, 9)
    await kernel.close()
    t.equal(knex.client.pool, undefined, 'nothing holds the pool open')
  })
}
