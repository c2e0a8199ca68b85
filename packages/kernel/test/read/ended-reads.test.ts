// Reads of one request end when another one of it has exceeded the rows that it may fetch, or when the caller has gone: the
// database does not go on working, and all connections are free again.

import { freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { type Context, createContext, type Kernel, openAccess } from '../../src/index.ts'
import { boot, client, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('post', {
    title: { type: 'string' },
    text: { type: 'text' },
    tags: { type: 'relation', relation: 'manyToMany', target: uid('tag'), inversedBy: 'posts' },
  }),
  type('tag', {
    label: { type: 'string' },
    posts: { type: 'relation', relation: 'manyToMany', target: uid('post'), mappedBy: 'tags' },
  }),
]

/** A kernel over 16,384 posts, all of which have the same tag. */
async function start(t: Test): Promise<{ readonly kernel: Kernel; readonly database: TestDatabase }> {
  const database = await freshDatabase(client())
  t.teardown(() => database.drop())
  const settings = { ...database.config, statementTimeout: 120_000 }
  const kernel = await boot(t, { database: settings, contentTypes, maxRows: 1000 })
  const { id } = await kernel.query(uid('tag')).create({ data: { label: 'a' } })
  await kernel.query(uid('post')).create({ data: { title: 'p', text: 'x'.repeat(100) } })
  const opened = await database.open()
  for (let i = 0; i < 14; i++) await opened.run('INSERT INTO posts (title, text) SELECT title, text FROM posts')
  await opened.run(`INSERT INTO posts_tags_links (post_id, tag_id) SELECT id, ${id} FROM posts`)
  await opened.close()
  return { kernel, database }
}

/** Every post looks at the texts of all others: minutes. */
const endless = { sort: 'tags.posts.text:desc', fields: ['title'] }

/** The statements about posts that the server runs. */
async function running({ open, client }: TestDatabase): Promise<number> {
  if (client === 'sqlite') return 0
  const opened = await open()
  // PostgreSQL lists what it does by itself, too: it analyses tables that have changed.
  const from =
    client === 'mysql'
      ? `information_schema.processlist WHERE info LIKE '%posts%' AND db = DATABASE()`
      : `pg_stat_activity WHERE query LIKE '%posts%' AND state = 'active' AND backend_type <> 'autovacuum worker' AND datname = current_database()`
  const rows = await opened.all(`SELECT COUNT(*) FROM ${from}`)
  await opened.close()
  return Number(Object.values(rows[0] as object)[0]) - 1
}

async function eventually(t: Test, isTrue: () => Promise<boolean>, message: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await isTrue()) {
      t.pass(message)
      return
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  t.fail(message)
}

t.test('a read that is still running ends when another one of the request exceeds the limit', async t => {
  const { kernel, database } = await start(t)
  const rowCount = kernel.reader.startRowCount()
  const context: Context = { ...createContext(openAccess), rowCount, isAbandoned: () => rowCount.refusal !== null }
  const posts = kernel.query(uid('post'), context)
  const slow = thrown(t, () => posts.findPage({ ...endless, pagination: { limit: 10 } }))
  await new Promise(resolve => setTimeout(resolve, 300))
  const error = await thrown(t, () => posts.findPage({ pagination: { limit: 2000 } }))
  t.match(error, { details: { rows: 1001, maxRows: 1000 } })
  // At its own end it would say that the time of a statement is over.
  t.equal(await slow, error, 'it says why, and does not run to its end')
  await eventually(t, async () => (await running(database)) === 0, 'the server does not go on working')
  t.equal(kernel.database.connections.busy, 0, 'no connection is in use')
  t.equal((await kernel.query(uid('post')).findMany({ pagination: { limit: 3 } })).length, 3)
})

t.test('a caller that goes away while rows are counted', async t => {
  const { kernel, database } = await start(t)
  let hasGone = false
  const rowCount = kernel.reader.startRowCount()
  const context: Context = { ...createContext(openAccess), rowCount, isAbandoned: () => hasGone }
  const tags = kernel.query(uid('tag'), context)
  const populate = { posts: { ...endless, limit: 900 } }
  const read = thrown(t, () => tags.findMany({ populate }))
  await new Promise(resolve => setTimeout(resolve, 300))
  hasGone = true
  t.match(await read, { status: 503 })
  t.equal(rowCount.rows, 0, 'rows of a read that failed do not count')
  await eventually(t, async () => (await running(database)) === 0, 'the server does not go on working')
  t.equal(kernel.database.connections.busy, 0, 'no connection is in use')
})
