// Statements of kernel.knex, of its transactions, streams and pinned connections fail like those of the kernel: what the
// database cannot do now is a 503, or a 507, with Retry-After, and the next statement has a sound connection. A server
// that does not answer ends them in time (security.md F3, F4, F6).

import { finished } from 'node:stream/promises'
import { type Client, databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import { startProxy } from '@plinth/test-tools/proxy'
import { untilEqual } from '@plinth/test-tools/until-equal'
import type { Knex } from 'knex'
import t, { type Test } from 'tap'
import { createKernel, type Kernel } from '../../src/index.ts'
import { thrown, type } from '../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string', unique: true }, count: { type: 'integer' } })]
const busy = { status: 503, name: 'ServiceUnavailableError', retryAfter: Number }
const stuffed = { status: 507, name: 'InsufficientStorageError', retryAfter: 10 }

/** The forms of statements that plugins have. */
const ways: Readonly<Record<string, (kernel: Kernel) => PromiseLike<unknown>>> = {
  'a query': ({ knex }) => knex('pages').select('title'),
  'a first row': ({ knex }) => knex('pages').first(),
  'an insert': ({ knex }) => knex('pages').insert({ title: 'new' }),
  'raw SQL': ({ knex }) => knex.raw('SELECT COUNT(*) FROM pages'),
  'a look at the tables': ({ knex }) => knex.schema.hasTable('pages'),
  'a transaction': ({ knex }) => knex.transaction(async trx => trx('pages').update({ count: 1 })),
  'a transaction without a callback': async ({ knex }) => {
    const trx = await knex.transaction()
    await trx('pages').select()
    await trx.commit()
  },
  'a nested transaction': ({ knex }) =>
    knex.transaction(trx => trx.transaction(async inner => inner('pages').select())),
  'a copy of knex': ({ knex }) => knex.withUserParams({ a: 1 })('pages').select(),
  'a pinned connection': async ({ knex }) => {
    const connection = await knex.client.acquireConnection()
    try {
      await knex('pages').select().connection(connection)
    } finally {
      await knex.client.releaseConnection(connection)
    }
  },
  'tx.knex': kernel => kernel.transaction(async tx => tx.knex('pages').select()),
  'a transaction of tx.knex': kernel =>
    kernel.transaction(async tx => tx.knex.transaction(async trx => trx('pages').select())),
}

/** knex streams rows of PostgreSQL by a package that is not installed here. */
const streams: typeof ways = {
  'a stream': ({ knex }) => finished(knex('pages').stream().resume()),
  'a stream in a transaction': ({ knex }) => knex.transaction(trx => finished(trx('pages').stream().resume())),
  'a stream that is iterated': async ({ knex }) => {
    for await (const _ of knex('pages').stream());
  },
}

async function start(t: Test, database: TestDatabase, config: TestDatabase['config'], settings = {}): Promise<Kernel> {
  const kernel = await createKernel({
    database: { ...config, pool: { min: 0, max: 2 }, ...settings },
    contentTypes,
  })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  await kernel.query('api::page.page').create({ data: { title: 'a', count: 0 } })
  return kernel
}

/** The connections that knex and the kernel have not given back. */
const busyOf = ({ connections }: Kernel) => connections.busy

for (const client of await databases()) {
  t.test(client, async t => {
    if (client === 'sqlite') await testFile(t)
    else await testServer(t, client)
  })
}

async function testServer(t: Test, client: Exclude<Client, 'sqlite'>): Promise<void> {
  const all = client === 'mysql' ? { ...ways, ...streams } : ways

  await t.test('a server that is away', async t => {
    const database = await freshDatabase(client)
    const proxy = await startProxy(t, database)
    const kernel = await start(t, database, proxy.config)
    for (const [name, ask] of Object.entries(all)) {
      await kernel.knex('pages').first()
      // The idle connections end, and new ones cannot be opened.
      proxy.cut()
      const error = await thrown(t, async () => ask(kernel))
      t.match(error, busy, `${name}, with the server away`)
      t.match(await thrown(t, async () => ask(kernel)), busy, `${name}, again`)
      proxy.mend()
    }
    await kernel.knex('pages').where({ title: 'new' }).delete()
    for (const [name, ask] of Object.entries(all)) await t.resolves(Promise.resolve(ask(kernel)), `${name}, afterwards`)
    t.equal(busyOf(kernel), 0)
  })

  await t.test('a connection that ends under a statement', async t => {
    const database = await freshDatabase(client)
    const proxy = await startProxy(t, database)
    const kernel = await start(t, database, proxy.config)
    for (const begin of [
      async (work: (knex: Knex) => Promise<unknown>) => work(kernel.knex),
      (work: (knex: Knex) => Promise<unknown>) => kernel.knex.transaction(work),
      (work: (knex: Knex) => Promise<unknown>) => kernel.transaction(async tx => work(tx.knex)),
    ]) {
      const failed = thrown(t, () =>
        begin(async knex => {
          await knex('pages').first()
          const lost = knex.raw(client === 'mysql' ? 'SELECT SLEEP(60)' : 'SELECT pg_sleep(60)').then(() => {})
          setImmediate(() => proxy.cut())
          await lost
        }),
      )
      t.match(await failed, { ...busy, message: 'The connection to the database was lost' })
      proxy.mend()
      t.match(await kernel.knex('pages').first(), { title: 'a' })
    }
    t.equal(busyOf(kernel), 0)
  })

  await t.test('a server that does not answer', async t => {
    const database = await freshDatabase(client)
    const proxy = await startProxy(t, database)
    const kernel = await start(t, database, proxy.config, { statementTimeout: 300, acquireTimeout: 1000 })
    await kernel.knex('pages').first()
    const held = [ways['a query']!, ways['a transaction']!]
    const before = kernel.transaction(async () => new Promise(resolve => setTimeout(resolve, 10)))
    await before
    proxy.freeze()
    const errors = await Promise.all(held.map(ask => thrown(t, async () => ask(kernel))))
    for (const error of errors) t.match(error, busy)
    proxy.thaw()
    t.match(await kernel.knex('pages').first(), { title: 'a' })
    // The connections of the statements that were given up end when the server answers.
    await untilEqual(async () => busyOf(kernel), 0)
    t.equal(busyOf(kernel), 0)
  })

  await t.test('what is no fault of the database, and what the caller may repeat', async t => {
    const database = await freshDatabase(client)
    const kernel = await start(t, database, database.config)
    const codes = { mysql: 'ER_DUP_ENTRY', postgres: '23505' }
    t.match(
      await thrown(t, async () => kernel.knex('pages').insert({ title: 'a' })),
      { code: codes[client] },
      'a duplicate stays the error of the driver',
    )
    t.match(await thrown(t, async () => kernel.knex('missing').select()), { code: /ER_NO_SUCH_TABLE|42P01/ })
    const other = await database.open()
    await other.run(client === 'mysql' ? 'BEGIN' : 'BEGIN')
    await other.run('UPDATE pages SET count = 5 WHERE id = 1')
    const locked = kernel.knex.transaction(async trx => {
      await trx.raw(client === 'mysql' ? 'SET SESSION innodb_lock_wait_timeout = 1' : 'SET LOCAL lock_timeout = 50')
      await trx('pages').where({ id: 1 }).update({ count: 6 })
    })
    t.match(await thrown(t, () => locked), { ...busy, message: 'The entry is locked by another write' })
    await other.run('ROLLBACK')
    await other.close()
    const slow = client === 'mysql' ? 'SELECT SLEEP(60)' : 'SELECT pg_sleep(60)'
    t.match(await thrown(t, async () => kernel.knex.raw(slow).timeout(50)), busy, 'a time limit of knex')
    t.match(await thrown(t, async () => kernel.knex.raw(slow).timeout(50, { cancel: true })), busy)
    t.equal(busyOf(kernel), 0)
    t.match(await kernel.knex('pages').first(), { count: 0 })
  })
}

async function testFile(t: Test): Promise<void> {
  const database = await freshDatabase('sqlite')
  const kernel = await start(t, database, database.config, { acquireTimeout: 300 })
  const write = () => kernel.knex('pages').update({ count: 1 })
  const filling = (knex: Knex) => knex('pages').insert({ title: 'x'.repeat(100_000) })

  await t.test('a file that is read-only', async t => {
    await kernel.knex.raw('PRAGMA query_only = 1')
    const readOnly = { ...busy, message: 'The database is read-only' }
    t.match(await thrown(t, async () => write()), readOnly)
    t.match(await thrown(t, () => kernel.knex.transaction(async trx => trx('pages').delete())), readOnly)
    t.match(await thrown(t, () => kernel.transaction(async tx => tx.knex('pages').delete())), readOnly)
    await kernel.knex.raw('PRAGMA query_only = 0')
  })

  await t.test('a disk that is full', async t => {
    const [{ page_count: pages }] = await kernel.knex.raw('PRAGMA page_count')
    await kernel.knex.raw(`PRAGMA max_page_count = ${pages}`)
    t.match(await thrown(t, async () => filling(kernel.knex)), stuffed)
    t.match(await thrown(t, () => kernel.knex.transaction(async trx => filling(trx))), stuffed)
    t.match(await thrown(t, () => kernel.transaction(async tx => filling(tx.knex))), stuffed)
    await kernel.knex.raw('PRAGMA max_page_count = 1000000')
  })

  await t.test('another process that writes', async t => {
    const other = await database.open()
    await other.run('BEGIN IMMEDIATE')
    t.match(await thrown(t, async () => write()), { ...busy, message: 'The database is busy' })
    t.match(await thrown(t, () => kernel.knex.transaction(async trx => trx('pages').update({ count: 2 }))), busy)
    await other.run('ROLLBACK')
    await other.close()
  })

  await t.test('no free connection', async t => {
    const error = await thrown(t, () => kernel.knex.transaction(async () => kernel.knex('pages').first()))
    t.match(error, { ...busy, message: 'No database connection is free' })
  })

  await t.test('afterwards', async t => {
    for (const [name, ask] of Object.entries({ ...ways, ...streams })) {
      await t.resolves(Promise.resolve(ask(kernel)), name)
      await kernel.knex('pages').where({ title: 'new' }).delete()
    }
    t.match(await thrown(t, async () => kernel.knex('pages').insert({ title: 'a' })), {
      code: 'SQLITE_CONSTRAINT_UNIQUE',
    })
    t.equal(busyOf(kernel), 0)
  })
}
