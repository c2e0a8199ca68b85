// Failures between Plinth and its database, caused for real on each database (security.md F4, F5): no free connection,
// deadlocks, a COMMIT that fails, a lost connection. A write succeeds only if it is committed.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { createKernel, type Entry, type Kernel } from '../../src/index.ts'
import { repositories, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string' }, count: { type: 'integer' } })]
const acquireTimeout = 1500

interface Stage {
  readonly kernel: Kernel
  readonly pages: ReturnType<ReturnType<typeof repositories>>
  readonly database: TestDatabase
}

async function start(t: Test, client: Client): Promise<Stage> {
  const database = await freshDatabase(client)
  const kernel = await createKernel({
    database: { ...database.config, pool: { min: 0, max: 2 }, acquireTimeout },
    contentTypes,
  })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const pages = repositories(kernel)('page')
  for (const title of ['a', 'b']) await pages.create({ data: { title, count: 0 } })
  return { kernel, pages, database }
}

/** A kernel with the usual waitTimeout. */
async function open(client: Client, contentTypes: readonly { readonly uid: string }[]) {
  const database = await freshDatabase(client)
  const kernel = await createKernel({ database: database.config, contentTypes })
  const close = async () => {
    await kernel.close()
    await database.drop()
  }
  return { kernel, entries: kernel.query(contentTypes[0]!.uid), close }
}

/** A promise and what ends it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open: () => open() }
}

const unavailable = { status: 503, name: 'ServiceUnavailableError', retryAfter: Number }

for (const client of await databases()) {
  t.test(client, async t => {
    t.test('without a free connection: 503 within acquireTimeout, and writes work afterwards', async t => {
      const { kernel, pages } = await start(t, client)
      const end = gate()
      const holders = [1, 2].map(id =>
        kernel.transaction(async () => {
          await pages.update(id, { data: { count: 1 } })
          await end.opened
        }),
      )
      // SQLite's only writer is used by the first of them; the second waits for it like every write.
      const held = client === 'sqlite' ? holders.slice(0, 1) : holders
      const others = client === 'sqlite' ? holders.slice(1) : []
      for (const one of others) one.catch(() => {})
      await sleep(50)
      const began = Date.now()
      t.match(await thrown(t, () => pages.create({ data: { title: 'late' } })), unavailable)
      t.ok(Date.now() - began < acquireTimeout + 10_000, 'in time')
      if (client === 'sqlite') t.equal((await pages.findMany()).length, 2, 'readers need no writer')
      end.open()
      await Promise.all(held)
      await Promise.allSettled(others)
      await pages.create({ data: { title: 'later' } })
      t.equal(await pages.count(), 3)
    })

    t.test('a failed COMMIT fails the write', async t => {
      const { kernel, pages, database } = await start(t, client)
      const table = { sqlite: 'INTEGER', postgres: 'integer', mysql: 'INT UNSIGNED' }[client]
      const late = client === 'mysql' ? '' : 'DEFERRABLE INITIALLY DEFERRED'
      if (client !== 'mysql')
        await kernel.database.knex.raw(`CREATE TABLE strict_rows (page ${table} REFERENCES pages (id) ${late})`)
      const called: string[] = []
      const work = kernel.transaction(async tx => {
        tx.afterCommit(() => called.push('committed'))
        await pages.create({ data: { title: 'lost' } })
        if (client === 'mysql') await killFrom(database, await tx.all('SELECT CONNECTION_ID()', []))
        else await tx.run('INSERT INTO strict_rows VALUES (99)', [])
        return 'done'
      })
      await t.rejects(work)
      t.same(called, [])
      t.same(
        (await pages.findMany()).map(one => one.title),
        ['a', 'b'],
        'nothing of it is there',
      )
      await pages.create({ data: { title: 'next' } })
    })

    t.test('of many creations with one unique value exactly one succeeds', async t => {
      const seat = type('seat', { number: { type: 'string', unique: true } })
      const { entries: seats, close } = await open(client, [seat])
      t.teardown(close)
      const works = Array.from({ length: 40 }, () => seats.create({ data: { number: '7A' } }))
      const ends = await Promise.allSettled(works)
      t.equal(ends.filter(one => one.status === 'fulfilled').length, 1)
      for (const one of ends)
        if (one.status === 'rejected') t.match(one.reason, { status: 400, message: 'This attribute must be unique' })
      t.equal(await seats.count(), 1)
    })

    t.test('concurrent changes of links end in a state that a serial order gives', async t => {
      const tags = { type: 'relation', relation: 'manyToMany', target: uid('tag'), inversedBy: 'notes' }
      const notes = { type: 'relation', relation: 'manyToMany', target: uid('note'), mappedBy: 'tags' }
      const { kernel, close } = await open(client, [type('note', { tags }), type('tag', { notes })])
      t.teardown(close)
      const of = repositories(kernel)
      await of('note').create({ data: {} })
      for (let i = 0; i < 4; i++) await of('tag').create({ data: {} })
      const works = [
        ...[1, 2, 3].map(id => of('note').update(1, { data: { tags: { connect: [id] } } })),
        ...[1, 2, 3].map(id => of('tag').update(id, { data: { notes: { connect: [1] } } })),
        of('tag').delete(4),
        of('note').update(1, { data: { tags: { connect: [4] } } }),
      ]
      const ends = await Promise.allSettled(works)
      for (const one of ends) if (one.status === 'rejected') t.match(one.reason, { status: 400 }, 'the tag was gone')
      const { tags: linked } = (await of('note').findOne(1, { populate: 'tags' }))!
      t.same((linked as Entry[]).map(one => one.id).sort(), [1, 2, 3])
    })

    if (client === 'sqlite') testSqlite(t)
    else testServer(t, client)
  })
}

async function killFrom(database: TestDatabase, [row]: readonly (readonly unknown[])[]): Promise<void> {
  const beside = await database.open()
  try {
    await beside.run(database.client === 'mysql' ? `KILL ${row![0]}` : `SELECT pg_terminate_backend(${row![0]})`)
  } finally {
    await beside.close()
  }
  // The socket reports it later.
  await sleep(100)
}

function testSqlite(t: Test): void {
  t.test('SQLITE_BUSY: a write is tried again, and then answered 503', async t => {
    const { pages, database } = await start(t, 'sqlite')
    const other = await database.open()
    await other.run('BEGIN IMMEDIATE')
    const patient = pages.update(1, { data: { count: 5 } })
    // Longer than the busy timeout: the first attempt has failed by then.
    setTimeout(() => void other.run('COMMIT'), 400)
    t.match(await patient, { count: 5 })
    await other.run('BEGIN IMMEDIATE')
    t.match(await thrown(t, () => pages.update(1, { data: { count: 6 } })), unavailable)
    await other.run('ROLLBACK')
    t.match(await pages.update(1, { data: { count: 7 } }), { count: 7 })
    await other.close()
  })
}

function testServer(t: Test, client: 'mysql' | 'postgres'): void {
  t.test('deadlock: the transaction that was rolled back runs again', async t => {
    const { kernel, pages } = await start(t, client)
    let met = 0
    const both = gate()
    const runs = [0, 0]
    const orders = [
      [1, 2],
      [2, 1],
    ] as const
    const works: Promise<unknown>[] = orders.map(([first, second], i) =>
      kernel.transaction(async tx => {
        // The one that runs again would meet the other once more, if that had not ended.
        if (++runs[i]! > 1) await works[1 - i]
        const add = 'UPDATE pages SET count = count + 1 WHERE id = ?'
        await tx.run(kernel.database.dialect.finish(add), [first])
        if (++met === 2) both.open()
        await both.opened
        await tx.run(kernel.database.dialect.finish(add), [second])
      }),
    )
    await Promise.all(works)
    t.equal(runs[0]! + runs[1]!, 3, 'one of them twice')
    t.same(
      (await pages.findMany()).map(one => one.count),
      [2, 2],
      'each counted once',
    )
  })

  for (const by of ['the transaction', 'knex', 'statements at once'] as const) {
    t.test(`a transaction whose deadlock was caught does not succeed: by ${by}`, async t => {
      const { kernel, pages } = await start(t, client)
      for (const title of ['c', 'd', 'e', 'f']) await pages.create({ data: { title, count: 0 } })
      const [one, two] = [gate(), gate()]
      const add = kernel.database.dialect.finish('UPDATE pages SET count = count + 1 WHERE id = ?')
      let runs = 0
      const loud = kernel.transaction(async tx => {
        // MariaDB takes back the one that has changed less.
        for (const id of [1, 3, 4, 5, 6]) await tx.run(add, [id])
        one.open()
        await two.opened
        await tx.run(add, [2])
      })
      const quiet = kernel.transaction(async tx => {
        if (++runs > 1) throw new Error('again')
        await one.opened
        await tx.run(add, [2])
        two.open()
        const ways = {
          'the transaction': (id: number) => Promise.resolve(tx.run(add, [id])),
          knex: (id: number) => tx.knex('pages').where({ id }).increment('count', 1),
          'statements at once': (id: number) => Promise.resolve(tx.run(add, [id])),
        }
        const works = [1, 2].map(id => () => Promise.resolve(ways[by](id)).catch(() => {}))
        if (by === 'statements at once') await Promise.all(works.map(work => work()))
        else for (const work of works) await work()
      })
      const [first, second] = await Promise.allSettled([loud, quiet])
      const counts = (await pages.findMany({ sort: ['id'] })).map(page => page.count)
      // Which one was taken back is the server's choice; the other is done whole, and this one not at all.
      if (second.status === 'fulfilled') t.same(counts, [2, 3, 1, 1, 1, 1])
      else {
        t.same(counts, [1, 1, 1, 1, 1, 1])
        t.match(second.reason, { message: 'again' }, 'a conflict: it ran again')
      }
      t.equal(first.status, 'fulfilled')
    })
  }

  t.test('conflicts in every repetition are answered 503', async t => {
    const { kernel, pages } = await start(t, client)
    let runs = 0
    const code = client === 'mysql' ? 'ER_LOCK_DEADLOCK' : '40P01'
    const work = () =>
      kernel.transaction(async () => {
        runs++
        await pages.create({ data: { title: 'again' } })
        // What a server says when it does not end, for want of an endless deadlock.
        throw Object.assign(new Error('deadlock'), { code })
      })
    t.match(await thrown(t, work), unavailable)
    t.equal(runs, 6, 'once, and five times more')
    t.equal(await pages.count(), 2)
  })

  t.test('lock timeout: the transaction runs again', async t => {
    const { kernel, pages, database } = await start(t, client)
    const other = await database.open()
    await other.run('BEGIN; UPDATE pages SET count = 7 WHERE id = 1')
    let runs = 0
    const work = kernel.transaction(async tx => {
      const wait = client === 'mysql' ? 'SET SESSION innodb_lock_wait_timeout = 1' : `SET LOCAL lock_timeout = '300ms'`
      await tx.run(wait, [])
      if (++runs === 2) await other.run('COMMIT')
      await pages.update(1, { data: { title: 'mine' } })
    })
    await work
    t.equal(runs, 2)
    t.match(await pages.findOne(1), { title: 'mine', count: 7 })
    await other.close()
  })

  t.test('serialization failure: one of two dependent transactions runs again', async t => {
    const { kernel, pages } = await start(t, client)
    let met = 0
    const both = gate()
    let runs = 0
    const { finish } = kernel.database.dialect
    const works = [1, 2].map(id =>
      kernel.database.transaction(
        async tx => {
          runs++
          const [row] = await tx.all('SELECT SUM(count) FROM pages', [])
          if (++met === 2) both.open()
          await both.opened
          await tx.run(finish('UPDATE pages SET count = ? WHERE id = ?'), [Number(row![0]) + 1, id])
        },
        { serializable: true },
      ),
    )
    await Promise.all(works)
    t.ok(runs > 2, 'one ran again')
    const counts = (await pages.findMany()).map(one => Number(one.count))
    t.same(counts.toSorted(), [1, 2], 'as if one had come after the other')
  })

  t.test('a lost connection is answered 503 and not used again', async t => {
    const { kernel, pages, database } = await start(t, client)
    const own = client === 'mysql' ? 'SELECT CONNECTION_ID()' : 'SELECT pg_backend_pid()'
    const work = () =>
      kernel.transaction(async tx => {
        await pages.create({ data: { title: 'lost' } })
        await killFrom(database, await tx.all(own, []))
        await pages.create({ data: { title: 'too late' } })
      })
    t.match(await thrown(t, work), unavailable)
    for (let i = 0; i < 4; i++) t.equal(await pages.count(), 2)
    await pages.create({ data: { title: 'next' } })
    t.equal(await pages.count(), 3)
  })

  t.test('an idle connection that was lost is replaced', async t => {
    const { kernel, pages, database } = await start(t, client)
    const own = client === 'mysql' ? 'SELECT CONNECTION_ID()' : 'SELECT pg_backend_pid()'
    const rows = await kernel.database.read(session => session.all(own, []))
    await killFrom(database, rows)
    t.equal(await pages.count(), 2)
  })

  t.test('of many creations of a single type exactly one succeeds', async t => {
    const home = { ...type('home', { title: { type: 'string' } }), kind: 'singleType' }
    const { entries: homes, close } = await open(client, [home])
    t.teardown(close)
    const works = Array.from({ length: 8 }, () => homes.create({ data: { title: 'x' } }))
    const ends = await Promise.allSettled(works)
    t.equal(ends.filter(one => one.status === 'fulfilled').length, 1)
    for (const one of ends) if (one.status === 'rejected') t.match(one.reason, { status: 400 })
  })
}
