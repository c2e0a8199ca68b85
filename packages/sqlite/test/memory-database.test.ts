// A database in memory has one connection, on which reads inside a write run as well.

import type { Kernel } from '@plinth/kernel'
import { type, uid } from '@plinth/test-tools/fixtures'
import t from 'tap'
import { boot, repositories } from './fixtures/boot.ts'

t.test('findPage on a database in memory does not wait for its own connection', async t => {
  const database = { client: 'sqlite', connection: { filename: ':memory:' }, acquireTimeout: 300 }
  const kernel = await boot(t, { database, contentTypes: [type('tag', { label: { type: 'string' } })] })
  const tags = repositories(kernel)('tag')
  t.match(await tags.findPage(), { entries: [], pagination: { total: 0 } }, 'an empty page')
  await tags.create({ data: { label: 'a' } })
  t.match(await tags.findPage({ pagination: { pageSize: 1 } }), { pagination: { total: 1 } }, 'a full page')
})

t.test('in memory, a preWrite hook reads on the connection of the write', async t => {
  const listen = (kernel: Kernel) =>
    void kernel.hooks.on('preWrite', { actions: ['update'] }, async write => {
      await write.before()
      const [notes, count] = await Promise.all([
        kernel.query(uid('note')).findMany(),
        kernel.query(uid('note')).count(),
      ])
      write.data.title = `${notes.length} of ${count}`
    })
  const database = { client: 'sqlite', connection: { filename: ':memory:' }, acquireTimeout: 1200 }
  const contentTypes = [type('page', { title: { type: 'string' } }), type('note', { text: { type: 'text' } })]
  const kernel = await boot(t, { database, contentTypes, configure: listen })
  const pages = kernel.query(uid('page'))
  await kernel.query(uid('note')).create({ data: {} })
  const ids = (await Promise.all([1, 2, 3].map(() => pages.create({ data: {} })))).map(one => one.id)
  const changed = await Promise.all(ids.map(id => pages.update(id, { data: { title: 'a' } })))
  t.same(
    changed.map(one => one?.title),
    ['1 of 1', '1 of 1', '1 of 1'],
  )
})
