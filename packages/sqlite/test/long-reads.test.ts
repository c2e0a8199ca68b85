// Long reads on SQLite: they do not block the event loop, and they end at their deadline or when their client has gone
// (security.md F12).

import { join } from 'node:path'
import { createContext, createKernel, type Kernel, openAccess, systemAccess } from '@plinth/kernel'
import { watchLoop } from '@plinth/test-tools/event-loop'
import { temporary, thrown, type, uid } from '@plinth/test-tools/fixtures'
import BetterSqlite3 from 'better-sqlite3'
import t, { type Test } from 'tap'

const number = 20_000
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

/** For tests of answers: how long they take on a busy machine is not what these are about. */
const patient = { statementTimeout: 120_000 }

/** A kernel over many posts, each with one of five tags. */
async function start(t: Test, settings: object = {}): Promise<Kernel> {
  const filename = join(await temporary(t), 'data.db')
  // What a query may cost is not what these tests are about.
  const maxRows = Number.MAX_SAFE_INTEGER
  const options = { database: { client: 'sqlite', connection: { filename }, ...settings }, contentTypes, maxRows }
  await (await createKernel(options)).close()
  const db = new BetterSqlite3(filename)
  const count = `WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ${number})`
  db.exec(`${count} INSERT INTO posts (title, text) SELECT 'Post ' || i, hex(zeroblob(150)) || i FROM k`)
  db.exec(`INSERT INTO tags (label) VALUES ('a'), ('b'), ('c'), ('d'), ('e')`)
  db.exec(`INSERT INTO posts_tags_links (post_id, tag_id) SELECT id, 1 + id % 5 FROM posts`)
  db.close()
  const kernel = await createKernel(options)
  t.teardown(() => kernel.close())
  return kernel
}

/** No index helps with them, and each is asked of each post. */
const dear = (last: string) => ({
  $or: [...Array.from({ length: 199 }, (_, i) => ({ text: { $containsi: `z${i}` } })), { text: { $containsi: last } }],
})

/** Every post looks at the texts of a fifth of all others: minutes. */
const endless = { sort: 'tags.posts.text:desc', fields: ['title'] }

t.test('a long read does not block the event loop and answers the same', async t => {
  const kernel = await start(t, patient)
  const posts = kernel.query(uid('post'))
  for (const round of ['first', 'again', 'known']) {
    const params = { filters: dear('00019999'), fields: ['title'], sort: 'title' }
    const { value, took, busy } = await watchLoop(() => posts.findMany(params))
    t.strictSame(value, [{ id: 19_999, title: 'Post 19999' }], round)
    t.ok(busy < took / 3, `${round}: ${Math.round(busy)} ms of ${Math.round(took)} ms`)
  }
  t.equal(await posts.count({ filters: dear('00019999') }), 1, 'so does a total')
  const far = await posts.findMany({ sort: 'text:desc', fields: ['title'], pagination: { start: 19_990, limit: 100 } })
  t.equal(far.length > 0, true)
})

t.test('a large populate is answered by the reader process', async t => {
  const kernel = await start(t, patient)
  const tags = await kernel.query(uid('tag')).findMany({ populate: { posts: { filters: dear('0') } } })
  t.strictSame(
    tags.map(one => (one.posts as unknown[]).length),
    [4000, 4000, 4000, 4000, 4000],
  )
  t.match((tags[0]!.posts as object[]).at(-1), { id: number, title: `Post ${number}` })
})

t.test('rows beyond maxEntries are not fetched', async t => {
  const kernel = await start(t, patient)
  const texts: string[] = []
  kernel.database.listen(text => void texts.push(text))
  const context = createContext(openAccess, {}, undefined, { maxEntries: 15_000, maxBytes: 1e9 })
  const tags = kernel.query(uid('tag'), context)
  const error = await thrown(t, () => tags.findMany({ populate: { posts: { populate: { tags: true } } } }))
  t.match(error, {
    status: 400,
    message: 'would have at least 20005 entries, but the limit is 15000',
    details: { maxEntries: 15_000 },
  })
  t.equal(
    new Set(texts.filter(text => text.includes('posts_tags_links'))).size,
    1,
    'what hangs on them is not asked for',
  )
  kernel.database.listen(null)
})

t.test('entries are counted once per parent while they are fetched', async t => {
  const kernel = await start(t, patient)
  let asked = 0
  kernel.database.listen(text => {
    if (text.includes('posts_tags_links')) asked++
  })
  const context = createContext(openAccess, {}, undefined, { maxEntries: 1_000_000, maxBytes: 1e9 })
  const below = (levels: number): Record<string, unknown> =>
    levels === 0 ? {} : { populate: { [levels % 2 ? 'tags' : 'posts']: below(levels - 1) } }
  const error = await thrown(t, () => kernel.query(uid('tag'), context).findMany(below(6)))
  // 5 tags, 20,000 posts, each with its tag again, and with each of these its 4,000 posts.
  t.match(error, { status: 400, message: 'would have at least 80040005 entries, but the limit is 1000000' })
  t.ok(asked < 6, `${asked} of 6 levels are asked for`)
  kernel.database.listen(null)
})

t.test('a statementTimeout of 0 is no limit', async t => {
  const kernel = await start(t, { statementTimeout: 0 })
  const posts = kernel.query(uid('post'))
  const params = { filters: dear('00019999'), fields: ['title'] }
  t.strictSame(await posts.findMany(params), [{ id: 19_999, title: 'Post 19999' }])
  const inside = await kernel.transaction(() => posts.findMany({ filters: { text: { $containsi: '00019999' } } }))
  t.equal(inside.length, 1, 'also in transactions')
  const database = { client: 'sqlite', statementTimeout: '15s' }
  t.match(await thrown(t, () => createKernel({ database, contentTypes })), {
    message: /statementTimeout must be a whole number/,
  })
})

t.test('a read longer than statementTimeout is answered 503', async t => {
  const kernel = await start(t, { statementTimeout: 400 })
  const posts = kernel.query(uid('post'))
  const { value, took, busy } = await watchLoop(() => thrown(t, () => posts.findMany(endless)))
  t.match(value, { status: 503, retryAfter: Number })
  t.ok(busy < took / 2, `${Math.round(busy)} ms of ${Math.round(took)} ms`)
  t.equal((await posts.findMany({ filters: { title: 'Post 7' } })).length, 1, 'others are answered')
  const inside = () => kernel.transaction(() => posts.findMany(endless))
  t.match(await thrown(t, inside), { status: 503, retryAfter: Number }, 'also where it reads what is not committed')
})

t.test('a write whose answer takes too long is rolled back', async t => {
  const kernel = await start(t)
  const tags = kernel.query(uid('tag'), createContext(openAccess, {}))
  // Each of 400 posts looks at 4,000: far more than an answer may take, and far less than a script may.
  const populate = { posts: { sort: 'tags.posts.text', filters: { id: { $lte: number / 10 } } } }
  const { value, took } = await watchLoop(() => thrown(t, () => tags.update(1, { data: { label: 'z' }, populate })))
  t.match(value, { status: 503 })
  t.match(await tags.findOne(1), { label: 'a' })
  const script = kernel.query(uid('tag')).update(1, { data: { label: 'z' }, populate })
  t.match(await script, { label: 'z' }, `what is no request has its time (${Math.round(took)} ms)`)
})

t.test('a read whose client has gone ends', async t => {
  const kernel = await start(t, { statementTimeout: 60_000 })
  let isGone = false
  const context = createContext(systemAccess, undefined, () => isGone)
  setTimeout(() => {
    isGone = true
  }, 300)
  const { value, took } = await watchLoop(() => thrown(t, () => kernel.query(uid('post'), context).findMany(endless)))
  t.match(value, { status: 503 })
  t.ok(took < 20_000, `${Math.round(took)} ms`)
})

t.test('reads that wait for their turn are refused when their client has gone or their time is over', async t => {
  const kernel = await start(t, { acquireTimeout: 300 })
  const params = { filters: { id: { $lt: 3000 }, text: { $containsi: 'zz' } }, fields: ['title'] }
  const countOutcomes = async (many: number, isAbandoned: () => boolean) => {
    const posts = kernel.query(uid('post'), createContext(openAccess, undefined, isAbandoned))
    const all = await Promise.allSettled(Array.from({ length: many }, () => posts.findMany(params)))
    const refused = all.filter(one => one.status === 'rejected').map(({ reason }) => reason.message as string)
    // On a busy machine some take so long that they go on in a reader process, of which there are few.
    const own = refused.filter(message => message !== 'Too many long queries run at the same time')
    return { read: many - refused.length, refused: [...new Set(own)] }
  }
  /** A fast machine reads many in one turn, so ever more are asked for, until some have to wait. */
  const countUntilRefused = async (isAbandoned: () => boolean) => {
    let many = 300
    let outcomes = await countOutcomes(many, isAbandoned)
    while (outcomes.refused.length === 0 && many < 1_000_000) {
      many *= 4
      outcomes = await countOutcomes(many, isAbandoned)
    }
    return outcomes
  }
  const gone = await countUntilRefused(() => true)
  t.ok(gone.read > 0, `${gone.read} began in their own turn`)
  t.strictSame(gone.refused, ['The client no longer waits for the answer'])
  const late = await countUntilRefused(() => false)
  t.ok(late.read > 0, `${late.read} began in time`)
  t.strictSame(late.refused, ['The database is busy'])
})

t.test('long reads that get no process are answered 503 within acquireTimeout', async t => {
  const kernel = await start(t, { acquireTimeout: 300, statementTimeout: 3000 })
  const posts = kernel.query(uid('post'))
  const asked = Array.from({ length: 5 }, () => watchLoop(() => thrown(t, () => posts.findMany(endless))))
  const times = (await Promise.all(asked)).map(one => one.took).sort((a, b) => a - b)
  t.ok(times[2]! < 2500, `three wait no longer than they may: ${times.map(Math.round).join(', ')} ms`)
})

t.test('an observer receives the statement of a read in another process', async t => {
  const kernel = await start(t, { statementTimeout: 120_000 })
  const texts: string[] = []
  let running = 0
  let began = 0
  let took = 0
  const observer = {
    onStatement: (text: string) => void texts.push(text),
    onBegin: () => {
      if (running++ === 0) began = performance.now()
    },
    onEnd: () => {
      if (--running === 0) took += performance.now() - began
    },
  }
  const params = { filters: dear('00019999'), fields: ['title'] }
  const { took: all } = await watchLoop(() =>
    kernel.observe(observer, () => kernel.query(uid('post')).findMany(params)),
  )
  const same = texts.filter(text => text === texts[0])
  t.equal(same.length, 2, 'first on the event loop, then in the process')
  t.equal(running, 0)
  t.ok(took > all / 2, `${Math.round(took)} of ${Math.round(all)} ms`)
})

t.test('closing ends running reads', async t => {
  const kernel = await start(t, { statementTimeout: 60_000 })
  const asked = thrown(t, () => kernel.query(uid('post')).findMany(endless))
  setTimeout(() => void kernel.close(), 300)
  const { value, took } = await watchLoop(() => asked)
  t.match(value, { status: 503 })
  t.ok(took < 20_000, `${Math.round(took)} ms`)
})

t.test('the check of the clock does not change the query plan', async t => {
  const kernel = await start(t)
  const db = new BetterSqlite3(kernel.database.knex.client.config.connection.filename)
  t.teardown(() => db.close())
  db.function('plinth_tick', () => 1)
  db.function('plinth_lower', text => text as string)
  const texts: string[] = []
  kernel.database.listen(text => texts.push(text))
  const posts = kernel.query(uid('post'))
  await posts.findMany({ filters: { title: 'Post 7' } })
  await posts.findMany({ filters: { tags: { label: 'a' } }, pagination: { page: 1, pageSize: 3 } })
  await posts.findMany({
    filters: { $not: { tags: { posts: { title: 'Post 7' } } } },
    pagination: { page: 1, pageSize: 3 },
  })
  await posts.findMany({
    sort: 'tags.label',
    pagination: { page: 1, pageSize: 3 },
    populate: { tags: { filters: { label: 'a' } } },
  })
  const ways = (text: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(Array(text.split('?').length - 1).fill('[1]'))
      .map(row => (row as { detail: string }).detail)
  const guarded = texts.filter(text => text.includes('plinth_tick()'))
  t.ok(guarded.length >= 6, `${guarded.length} of ${texts.length}`)
  for (const text of guarded) {
    const without = text
      .replaceAll(/likelihood\(\S+ % \d+ OR plinth_tick\(\), 1\.0\)/g, '1')
      .replaceAll('plinth_tick()', '1')
    t.notMatch(without, 'plinth_tick')
    t.strictSame(ways(text), ways(without.replaceAll(/ WHERE 1 AND /g, ' WHERE ')), text)
  }
})
