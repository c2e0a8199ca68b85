// Limits of time on servers: on every connection except while tables change, for reads whose client has gone, for slow
// reads that keep others from connections, and for servers that do not answer.

import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenConnection } from '@plinth/test-tools/connections'
import { type Client, databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import { startProxy } from '@plinth/test-tools/proxy'
import t, { type Test } from 'tap'
import type { DatabaseConfig } from '../../src/index.ts'
import { createKernel, type Kernel } from '../../src/index.ts'
import { thrown, type } from '../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string' } })]
const unavailable = { status: 503, name: 'ServiceUnavailableError', retryAfter: Number }

interface Stage {
  readonly kernel: Kernel
  readonly pages: ReturnType<Kernel['query']>
  readonly database: TestDatabase
  /** A connection that the kernel does not know: one of its own would be a read beside those of the test. */
  readonly beside: OpenConnection
}

async function start(t: Test, client: Client, settings: DatabaseConfig): Promise<Stage> {
  const database = await freshDatabase(client)
  const kernel = await createKernel({ database: { ...database.config, ...settings }, contentTypes })
  const beside = await database.open()
  t.teardown(async () => {
    await beside.close()
    await kernel.close()
    await database.drop()
  })
  const pages = kernel.query('api::page.page')
  await pages.create({ data: { title: 'a' } })
  return { kernel, pages, database, beside }
}

/** Runs for minutes; MariaDB's SLEEP() is no error where it is interrupted. */
const endless = {
  mysql: 'SELECT SUM(a.seq + b.seq) FROM seq_1_to_1000000 a, seq_1_to_1000000 b WHERE a.seq % 7 = b.seq % 11',
  postgres: 'SELECT pg_sleep(300)',
}

/** What the server runs of it at the moment. */
async function running({ beside }: Stage, client: 'mysql' | 'postgres'): Promise<number> {
  const text =
    client === 'mysql'
      ? `SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'SELECT SUM(a.seq%'`
      : `SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = CURRENT_DATABASE() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'`
  return Number((await beside.all(text))[0]!.n)
}

/** The server reports its state with a short delay. */
async function untilRunning(count: number, stage: Stage, client: 'mysql' | 'postgres'): Promise<number> {
  const end = Date.now() + 30_000
  for (;;) {
    const found = await running(stage, client)
    if (found === count || Date.now() > end) return found
    await sleep(20)
  }
}

const limitsOf = {
  mysql: 'SELECT @@max_statement_time, @@innodb_lock_wait_timeout, @@lock_wait_timeout, @@idle_transaction_timeout',
  postgres: `SELECT current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')`,
}

for (const client of await databases()) {
  if (client === 'sqlite') continue
  const slow = endless[client]

  t.test(`${client}: connections have the limits, except while tables change`, async t => {
    const { kernel } = await start(t, client, {
      statementTimeout: 2500,
      lockTimeout: 1500,
      idleTransactionTimeout: 20_000,
      pool: { max: 1 },
    })
    const { database } = kernel
    const shown = client === 'mysql' ? ['2.500000', 2, 2, 20] : ['2500ms', '1500ms', '20s']
    const lifted = client === 'mysql' ? ['0.000000', 600, 600, 0] : ['0', '10min', '0']
    const limits = async () => (await database.read(session => session.all(limitsOf[client], [])))[0]!
    t.same(await limits(), shown)
    const within = await database.transaction(async tx => tx.all(limitsOf[client], []), { isUnlimited: true })
    t.same(within[0]!, lifted)
    t.same(await limits(), shown)
    await thrown(t, () =>
      database.transaction(
        async tx => {
          await tx.all('SELECT 1', [])
          throw new Error('changed nothing')
        },
        { isUnlimited: true },
      ),
    )
    t.same(await limits(), shown, 'whatever became of it')
    const read = await database.readUnlimited(session => session.all(limitsOf[client], []))
    t.same(read[0]!, lifted)
    t.same(await limits(), shown)
  })

  t.test(`${client}: limits of 0 leave those of the server`, async t => {
    const settings = { statementTimeout: 0, lockTimeout: 0, idleTransactionTimeout: 0, pool: { max: 1 } }
    const { kernel, database } = await start(t, client, settings)
    const beside = await database.open()
    const own = async () => (await kernel.database.read(session => session.all(limitsOf[client], [])))[0]!
    const texts = client === 'mysql' ? limitsOf.mysql.slice(7).split(', ') : limitsOf.postgres.slice(7).split(', ')
    const theirs = Object.values(
      (await beside.all(`SELECT ${texts.map((one, i) => `${one} AS x${i}`).join(', ')}`))[0]!,
    )
    t.same((await own()).map(String), theirs.map(String))
    await kernel.database.readUnlimited(session => session.all('SELECT 1', []))
    t.same((await own()).map(String), theirs.map(String), 'after a migration, too')
    await beside.close()
  })

  t.test(`${client}: a statement longer than statementTimeout is answered 503`, async t => {
    const { kernel, pages } = await start(t, client, { statementTimeout: 500 })
    for (const work of [
      async () => kernel.database.read(session => session.all(slow, [])),
      () => kernel.transaction(async tx => tx.all(slow, [])),
      () => kernel.transaction(async tx => tx.knex.raw(slow)),
    ]) {
      const began = Date.now()
      t.match(await thrown(t, work), unavailable)
      t.ok(Date.now() - began < 15_000)
    }
    t.equal(await pages.count(), 1)
  })

  t.test(`${client}: a transaction idle for longer than idleTransactionTimeout is answered 503`, async t => {
    const { kernel, pages } = await start(t, client, { idleTransactionTimeout: 1000, pool: { max: 1 } })
    const work = () =>
      kernel.transaction(async tx => {
        await pages.create({ data: { title: 'b' } })
        await tx.flush()
        await sleep(2500)
        await pages.create({ data: { title: 'c' } })
      })
    t.match(await thrown(t, work), unavailable)
    t.equal(await pages.count(), 1, 'nothing of it is there')
    await pages.create({ data: { title: 'd' } })
  })

  t.test(`${client}: a lock of a row is waited for once`, async t => {
    const { pages, database } = await start(t, client, { lockTimeout: 4000 })
    const other = await database.open()
    await other.run("BEGIN; UPDATE pages SET title = 'theirs' WHERE id = 1")
    const began = Date.now()
    t.match(await thrown(t, () => pages.update(1, { data: { title: 'mine' } })), unavailable)
    t.ok(Date.now() - began < 8000, `after ${Date.now() - began} ms`)
    await other.run('ROLLBACK')
    t.match(await pages.update(1, { data: { title: 'mine' } }), { title: 'mine' })
    await other.close()
  })

  t.test(`${client}: an advisory lock is waited for as long as a lock of a row`, async t => {
    const { kernel } = await start(t, client, { lockTimeout: 1000 })
    const { database } = kernel
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const holder = database.transaction(async tx => {
      await tx.lockNames(['page.title one'])
      held()
      await mayEnd
    })
    await isHeld
    const began = Date.now()
    t.match(await thrown(t, () => database.transaction(async tx => tx.lockNames(['page.title one']))), unavailable)
    t.ok(Date.now() - began < 15_000, `after ${Date.now() - began} ms`)
    end()
    await holder
    await database.transaction(async tx => tx.lockNames(['page.title one']))
  })

  t.test(`${client}: a start waits for the migration of another process without a limit`, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const other = await database.open()
    const [take, release] =
      client === 'mysql'
        ? [
            `SELECT GET_LOCK(CONCAT('plinth_', MD5(DATABASE())), 1)`,
            `SELECT RELEASE_LOCK(CONCAT('plinth_', MD5(DATABASE())))`,
          ]
        : ['SELECT pg_advisory_lock(1886153332)', 'SELECT pg_advisory_unlock(1886153332)']
    await other.run(take!)
    setTimeout(() => void other.run(release!), 2500)
    const settings = { statementTimeout: 300, lockTimeout: 300, idleTransactionTimeout: 1000 }
    const kernel = await createKernel({ database: { ...database.config, ...settings }, contentTypes })
    t.equal(await kernel.query('api::page.page').count(), 0)
    await kernel.close()
    await other.close()
  })

  t.test(`${client}: a read whose client has gone is cancelled, and its next statements do not run`, async t => {
    const stage = await start(t, client, { pool: { max: 2 } })
    const { kernel, pages } = stage
    let isGone = false
    const received: string[] = []
    const work = kernel.database.read(
      async session => {
        await Promise.resolve(session.all(slow, [])).catch(() => {})
        await session.all('SELECT 42', [])
        received.push('the second one')
      },
      { isAbandoned: () => isGone },
    )
    const ended = thrown(t, async () => work)
    t.equal(await untilRunning(1, stage, client), 1)
    isGone = true
    const began = Date.now()
    t.match(await ended, unavailable)
    t.ok(Date.now() - began < 15_000, `after ${Date.now() - began} ms`)
    t.equal(await untilRunning(0, stage, client), 0, 'the server has stopped')
    t.same(received, [])
    for (let i = 0; i < 20; i++) t.equal(await pages.count(), 1, 'the next query is not cancelled')
  })

  t.test(`${client}: slow reads leave connections to others`, async t => {
    const { kernel, pages } = await start(t, client, {
      pool: { max: 4 },
      acquireTimeout: 3000,
      statementTimeout: 20_000,
    })
    await pages.count()
    const shape = {}
    let isOver = false
    const read = () => kernel.database.read(session => session.all(slow, []), { isAbandoned: () => isOver, shape })
    const first = Array.from({ length: 8 }, () => thrown(t, async () => read()))
    await sleep(100)
    const began = Date.now()
    t.equal(await pages.count(), 1)
    t.ok(Date.now() - began < 15_000, `a repeated query: ${Date.now() - began} ms`)
    t.equal((await pages.findMany({ sort: 'title' })).length, 1)
    t.ok(Date.now() - began < 15_000, `one that was not: ${Date.now() - began} ms`)
    await sleep(1000)
    const second = Array.from({ length: 8 }, () => thrown(t, async () => read()))
    for (let i = 0; i < 10; i++) {
      const at = Date.now()
      t.equal(await pages.count(), 1)
      t.ok(Date.now() - at < 15_000, `known to be slow: ${Date.now() - at} ms`)
    }
    await sleep(3500)
    isOver = true
    for (const error of await Promise.all([...first, ...second])) t.match(error, unavailable)
    const fast = () => kernel.database.read(session => session.all('SELECT 1', []), { shape })
    const times = await Promise.all(Array.from({ length: 8 }, fast))
    t.equal(times.length, 8, 'a shape that is fast again is like all others')
  })

  t.test(`${client}: slow reads that keep others from connections are cancelled`, async t => {
    const stage = await start(t, client, { pool: { max: 4 }, statementTimeout: 20_000 })
    const { kernel, pages } = stage
    let isOver = false
    const shapes = Array.from({ length: 4 }, () => ({}))
    const read = (shape: object, text: string) =>
      kernel.database.read(async session => session.all(text, []), { isAbandoned: () => isOver, shape })
    for (const shape of shapes) await read(shape, 'SELECT 1')
    const works = shapes.map(shape => thrown(t, async () => read(shape, slow)))
    t.equal(await untilRunning(4, stage, client), 4)
    const began = Date.now()
    t.equal(await pages.count(), 1)
    t.ok(Date.now() - began < 15_000, `answered after ${Date.now() - began} ms`)
    t.equal(await untilRunning(1, stage, client), 1, 'an eighth goes on')
    isOver = true
    for (const error of await Promise.all(works)) t.match(error, unavailable)
  })

  t.test(`${client}: a server that does not answer`, async t => {
    const database = await freshDatabase(client)
    const proxy = await startProxy(t, database)
    const settings = { ...proxy.config, statementTimeout: 500, acquireTimeout: 1500, pool: { max: 3 } }
    const kernel = await createKernel({ database: settings, contentTypes })
    t.teardown(async () => {
      proxy.thaw()
      await kernel.close()
      await database.drop()
    })
    const pages = kernel.query('api::page.page')
    await Promise.all([1, 2, 3].map(() => pages.create({ data: { title: 'a' } })))
    proxy.freeze()
    const began = Date.now()
    const works = [
      () => pages.findMany(),
      () => pages.create({ data: { title: 'b' } }),
      () => kernel.transaction(async tx => tx.knex.raw('SELECT 1')),
      () => pages.findMany(),
      () => pages.update(1, { data: { title: 'b' } }),
    ]
    for (const error of await Promise.all(works.map(work => thrown(t, work)))) t.match(error, unavailable)
    t.ok(Date.now() - began < 8000, `all were shown: ${Date.now() - began} ms`)
    proxy.thaw()
    await sleep(200)
    t.ok((await pages.count()) >= 3)
    await pages.create({ data: { title: 'c' } })
  })

  t.test(`${client}: a port that accepts connections and does not answer`, async t => {
    const server = createServer(() => {})
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => server.close())
    const { port } = server.address() as { port: number }
    const warned: string[] = []
    const { warn } = console
    console.warn = text => warned.push(String(text))
    t.teardown(() => {
      console.warn = warn
    })
    const began = Date.now()
    const connection = { host: '127.0.0.1', port, user: 'x', password: 'x', database: 'x' }
    const error = await thrown(t, () => createKernel({ database: { client, connection, acquireTimeout: 2000 } }))
    t.ok(Date.now() - began < 15_000, `after ${Date.now() - began} ms`)
    t.match(error, { name: 'DatabaseConnectionError' })
    t.match(
      error.message,
      /cannot open the (mysql|postgres) database "x" at 127\.0\.0\.1:\d+ as x: the server did not answer/,
    )
    t.same(warned, [])
  })
}
