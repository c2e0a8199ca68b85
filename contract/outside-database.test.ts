/**
 * A database package from outside, `fixtures/pglite`: the kernel finds it by the client, and reads, writes, transactions
 * and migrations run on the SQL of PostgreSQL with a single connection.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@plinth/kernel'
import { planMigrations } from '@plinth/kernel/migrate'
import t from 'tap'

const type = (name: string, attributes: object) => ({
  uid: `api::${name}.${name}`,
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})

const contentTypes = [
  type('tag', { label: { type: 'string', unique: true } }),
  type('page', {
    title: { type: 'string' },
    at: { type: 'datetime' },
    data: { type: 'json' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
  }),
]

t.test('PGlite, found by its name', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-outside-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const start = () =>
    createKernel({
      database: { client: 'pglite', connection: { folder }, acquireTimeout: 120_000 },
      contentTypes,
      migrate: 'add',
    })

  const kernel = await start()
  const [pages, tags] = [kernel.query('api::page.page'), kernel.query('api::tag.tag')]
  const made = await Promise.all(['a', 'b', 'c'].map(label => tags.create({ data: { label } })))
  const ids = made.map(one => one.id)
  const page = await pages.create({
    data: { title: 'First', at: '2024-06-01T12:00:00.000Z', data: { a: [1] }, tags: ids },
  })
  t.match(await pages.findOne(page.id, { populate: ['tags'] }), {
    title: 'First',
    at: '2024-06-01T12:00:00.000Z',
    data: { a: [1] },
    tags: [{ label: 'a' }, { label: 'b' }, { label: 'c' }],
  })
  t.match(await pages.findPage({ filters: { tags: { label: { $containsi: 'B' } } } }), { pagination: { total: 1 } })
  await t.rejects(tags.create({ data: { label: 'a' } }), { name: 'ValidationError' })
  await t.rejects(
    kernel.transaction(async () => {
      await pages.update(page.id, { data: { title: 'Second' } })
      throw new Error('undone')
    }),
    { message: 'undone' },
  )
  t.equal((await pages.findOne(page.id))?.title, 'First', 'a transaction is rolled back')
  await Promise.all(Array.from({ length: 20 }, (_, n) => pages.update(page.id, { data: { title: `${n}` } })))
  await kernel.close()

  const again = await start()
  t.teardown(() => again.close())
  t.equal(await again.query('api::tag.tag').count(), 3, 'it is stored')
  t.same((await planMigrations(again)).steps, [], 'the tables are those of the model')
})

t.test('a name in `connection` that the package does not know', async t => {
  await t.rejects(createKernel({ database: { client: 'pglite', connection: { foldr: 'a' } } }), {
    message: 'config/database: connection.foldr is not known, did you mean "folder"?',
  })
})
