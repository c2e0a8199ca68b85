// PostgreSQL behind a pooler: what a start finds out, says and refuses, and that nothing is mixed where each transaction
// has another server connection. The pooler is a stand-in, which carries no setting of a client over.

import { createKernel, type DatabaseConfig, type Kernel } from '@plinth/kernel'
import { applyMigrations, makePlan } from '@plinth/kernel/migrate'
import { readOnly, resolveDatabase } from '@plinth/kernel/tables'
import { databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import { type } from '@plinth/test-tools/fixtures'
import { type Pooler, type PoolerOptions, startPooler } from '@plinth/test-tools/pooler'
import { untilEqual } from '@plinth/test-tools/until-equal'
import pg from 'pg'
import t, { type Test } from 'tap'
import { PostgresSession } from '../src/session.ts'
import { openingsOfOwn, openingsOfShared } from '../src/settings.ts'

const contentTypes = [
  type('page', {
    title: { type: 'string' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
  }),
  type('tag', { label: { type: 'string' }, weight: { type: 'integer' } }),
]

interface Stage {
  readonly database: TestDatabase
  readonly pooler: Pooler
  /** The configuration of a database behind the pooler. */
  config(more?: DatabaseConfig): DatabaseConfig
  start(more?: DatabaseConfig): Promise<Kernel>
}

/** A database behind a pooler, until the test ends. */
async function stage(t: Test, options: PoolerOptions): Promise<Stage> {
  const database = await freshDatabase('postgres')
  const server = database.config.connection as { host: string; port: number; password: string }
  const pooler = await startPooler(server, options)
  const kernels: Kernel[] = []
  t.teardown(async () => {
    await Promise.all(kernels.map(kernel => kernel.close()))
    await pooler.close()
    await database.drop()
  })
  const config = ({ connection, ...more }: DatabaseConfig = {}): DatabaseConfig => ({
    client: 'postgres',
    connection: { ...database.config.connection, host: '127.0.0.1', port: pooler.port, ...connection },
    ...more,
  })
  const start = async (more?: DatabaseConfig) => {
    const kernel = await createKernel({ database: config(more), contentTypes })
    kernels.push(kernel)
    return kernel
  }
  return { database, pooler, config, start }
}

/** What a start says about the way to the server; the message of the error if it is refused. */
async function said(config: DatabaseConfig): Promise<string | null> {
  try {
    const kernel = await createKernel({ database: config, migrate: 'none' })
    await kernel.close()
    return kernel.database.remark
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return `${code}: ${message}`
  }
}

const unnamed: DatabaseConfig = { preparedStatements: false }

if ((await databases()).includes('postgres')) {
  t.test('without a pooler a start says nothing', async t => {
    const database = await freshDatabase('postgres')
    t.teardown(() => database.drop())
    for (const more of [{}, unnamed, { pool: { max: 1 } }]) t.equal(await said({ ...database.config, ...more }), null)
  })

  const cases: readonly (readonly [what: string, PoolerOptions, DatabaseConfig, RegExp])[] = [
    ['session', { mode: 'session' }, {}, /^PostgreSQL is reached .*\(session mode\)$/],
    ['session, unnamed', { mode: 'session' }, unnamed, /\(session mode\)$/],
    ['transaction', { mode: 'transaction' }, {}, /^PLINTH_DATABASE_POOLER: .* set preparedStatements: false here/],
    ['transaction, unnamed', { mode: 'transaction' }, unnamed, /\(transaction mode\), without prepared statements/],
    ['in turn', { mode: 'transaction', gives: 'first' }, {}, /set preparedStatements: false/],
    ['two in turn', { mode: 'transaction', gives: 'first', size: 2 }, {}, /set preparedStatements: false/],
    ['two in turn, unnamed', { mode: 'transaction', gives: 'first', size: 2 }, unnamed, /\(transaction mode\)/],
    ['statements kept', { mode: 'transaction', keepsStatements: true }, {}, /mode\), which keeps prepared statements/],
    [
      'kept, two in turn',
      { mode: 'transaction', keepsStatements: true, gives: 'first', size: 2 },
      {},
      /mode\), which keeps prepared statements/,
    ],
    ['statement', { mode: 'statement' }, unnamed, /^PLINTH_DATABASE_POOLER: .* accepts no transaction .*pool_mode/],
    [
      'one server connection',
      { mode: 'transaction', size: 1 },
      { ...unnamed, acquireTimeout: 1500 },
      /^PLINTH_DATABASE_POOLER: .* no second server connection within 1 s: it needs at least two/,
    ],
    ['one for sessions', { mode: 'session', size: 1 }, { acquireTimeout: 1500 }, /no second server connection/],
  ]
  t.test('a start finds out how the pooler pools, and refuses what would be wrong', async t => {
    for (const [what, options, more, expected] of cases) {
      await t.test(what, async t => {
        const { config } = await stage(t, options)
        t.match(await said(config(more)), expected)
      })
    }
  })

  t.test('the name of a prepared statement means one text, whoever uses the server connection', async t => {
    const { pooler, database } = await stage(t, { mode: 'transaction', size: 1 })
    const open = async () => {
      const client = new pg.Client({ ...database.config.connection, host: '127.0.0.1', port: pooler.port })
      await client.connect()
      t.teardown(() => client.end())
      return new PostgresSession(client, { isNamed: true, openings: openingsOfOwn, takesSnapshots: false })
    }
    const [a, b] = [await open(), await open()]
    for (const n of [1, 2, 3]) t.same(await a.all(`SELECT ${n}`, []), [[n]])
    for (const n of [7, 8, 9]) t.same(await b.all(`SELECT ${n}`, []), [[n]])
    t.same(await a.all('SELECT 3', []), [[3]])
    await t.rejects(b.all('SELECT 3', []), { code: '42P05' }, 'an error, and no other statement')
  })

  t.test('four processes start at once, one of them is elected, and nothing is mixed', async t => {
    const { start, database, config } = await stage(t, { mode: 'transaction', size: 4 })
    const kernels = await Promise.all([1, 2, 3, 4].map(() => start({ ...unnamed, pool: { max: 5 } })))
    t.equal(kernels.filter(({ database }) => database.assignsWholePlaces).length, 1)
    const tags = kernels.map(kernel => kernel.query('api::tag.tag'))
    const pages = kernels.map(kernel => kernel.query('api::page.page'))
    await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        const tag = await tags[n % 4]!.create({ data: { label: `t${n}`, weight: n } })
        const page = await pages[(n + 1) % 4]!.create({ data: { title: `p${n}`, tags: [tag.id] } })
        await tags[(n + 2) % 4]!.update(tag.id, { data: { weight: n + 100 } })
        const stored = await pages[(n + 3) % 4]!.findOne(page.id, { populate: ['tags'] })
        t.match(stored, { title: `p${n}`, tags: [{ label: `t${n}`, weight: n + 100 }] })
        t.match(await tags[n % 4]!.findMany({ filters: { weight: n + 100 } }), [{ label: `t${n}` }])
      }),
    )
    const opened = await database.open()
    t.teardown(() => opened.close())
    const locks = async () =>
      (
        await opened.all(`SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE locktype = 'advisory' AND datname = CURRENT_DATABASE()`)
      ).length
    t.equal(await locks(), 1)
    await Promise.all(kernels.map(kernel => kernel.close()))
    await untilEqual(locks, 0)
    t.equal(await locks(), 0, 'the lock ends with the processes')
    const [again, other] = [await start(unnamed), await start(unnamed)]
    t.equal(again.database.assignsWholePlaces, true)
    t.equal(other.database.assignsWholePlaces, false)
    const plan = await readOnly(await resolveDatabase(config(unnamed), '.'), (ddl, session) =>
      makePlan(ddl, session, again.contentTypes, { drops: true }),
    )
    t.same(plan.steps, [])
    await Promise.all([1, 2, 3, 4].map(n => again.query('api::tag.tag').create({ data: { label: `after ${n}` } })))
    t.pass('a look leaves no connection read-only')
  })

  t.test('indexes that are made while others write need the server itself', async t => {
    const { start } = await stage(t, { mode: 'transaction' })
    const before = await start(unnamed)
    await before.close()
    const { database, contentTypes, dir, log } = await start({ ...unnamed, indexes: { 'api::tag.tag': ['label'] } })
    const { done, left } = await applyMigrations({ database, contentTypes, dir, log })
    t.same(done, [])
    t.match(left, [{ name: 'index:plinth_tags_label_id', why: /^a pooler gives each transaction another connection/ }])
  })

  t.test('time limits and settings belong to transactions', async t => {
    const { start } = await stage(t, { mode: 'transaction' })
    const times = { statementTimeout: 2500, lockTimeout: 1500, idleTransactionTimeout: 20_000 }
    const { database } = await start({ ...unnamed, ...times, storedTimeZone: '+05:30' })
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone', 'DateStyle']
    const text = `SELECT ${names.map(name => `current_setting('${name}')`).join(', ')}`
    const limited = ['2500ms', '1500ms', '20s', '<+05:30>-05:30', 'ISO, YMD']
    const unlimited = ['0', '10min', '0', '<+05:30>-05:30', 'ISO, YMD']
    const all = { text, values: [] }
    t.same((await database.read(session => session.all(text, [])))[0], limited)
    t.same(
      (await database.read(session => session.batch([all, all]))).map(([row]) => row),
      [limited, limited],
    )
    t.same((await database.transaction(tx => tx.all(text, []) as Promise<unknown[][]>))[0], limited)
    t.same((await database.transaction(async tx => tx.all(text, []), { isUnlimited: true }))[0], unlimited)
    t.same((await database.readUnlimited(session => session.all(text, [])))[0], unlimited)
    t.same((await database.readSnapshot(async session => session.all(text, [])))[0], unlimited)
    const shown = (await database.knex.raw(text)) as { rows: object[] }
    const server = (await database.knex.raw(`SELECT reset_val FROM pg_settings WHERE name = 'lock_timeout'`)) as {
      rows: { reset_val: string }[]
    }
    t.equal(Object.values(shown.rows[0]!).includes('1500ms'), false, 'none is left on the server connection')
    t.equal(server.rows[0]!.reset_val, '0')
  })

  t.test('reads in one snapshot are one transaction', async t => {
    const { start, pooler } = await stage(t, { mode: 'transaction', size: 3 })
    t.ok(pooler.port > 0)
    const kernel = await start({ ...unnamed, consistentReads: true, statementTimeout: 2500, pool: { max: 6 } })
    const names = ['statement_timeout', 'transaction_isolation', 'transaction_read_only']
    const shown = {
      text: `SELECT pg_backend_pid(), ${names.map(name => `current_setting('${name}')`).join(', ')}`,
      values: [],
    }
    const read = () =>
      kernel.database.read(async session => {
        session.beginSnapshot!()
        const first = await session.all(shown.text, [])
        return [...first, ...(await session.batch([shown], true)).flat()]
      })
    for (const [first, last] of await Promise.all(Array.from({ length: 12 }, read))) {
      t.same(first!.slice(1), ['2500ms', 'repeatable read', 'on'])
      t.same(last, first, 'on the same server connection')
    }
    const pages = kernel.query('api::page.page')
    const tag = await kernel.query('api::tag.tag').create({ data: { label: 't' } })
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await pages.create({ data: { title: `p${n}`, tags: [tag.id] } })
        t.ok((await pages.findPage({ populate: ['tags'], pagination: { limit: 1 } })).pagination.total! > 0)
      }),
    )
    t.equal((await pages.findPage({ populate: ['tags'], pagination: { limit: 1 } })).pagination.total, 20)
    t.same((await kernel.database.read(session => session.all(shown.text, [])))[0]!.slice(2), ['read committed', 'off'])
  })

  t.test('what the user begins with is not set in each transaction', async t => {
    const times = { statementTimeout: 15_000, lockTimeout: 3000, idleTransactionTimeout: 30_000 }
    const defaults = new Map([
      ['TimeZone', 'UTC'],
      ['DateStyle', 'ISO, YMD'],
      ['standard_conforming_strings', 'on'],
      ['extra_float_digits', '1'],
      ['statement_timeout', '15000'],
      ['lock_timeout', '3000'],
    ])
    const { limited } = openingsOfShared({ ...times, zone: null, connection: { schema: 'it"s' } }, defaults)
    const idle = `set_config('idle_in_transaction_session_timeout', '30000', true)`
    t.equal(limited, `SELECT set_config('search_path', '"it""s"', true), ${idle}`)
    defaults.set('idle_in_transaction_session_timeout', '30000')
    t.equal(openingsOfShared({ ...times, zone: null, connection: {} }, defaults).limited, null)
  })

  t.test('schemas are not mixed: each has a user of its own, who begins in it', async t => {
    const { start, config, database } = await stage(t, { mode: 'transaction', keepsStatements: true, size: 3 })
    const { database: name, password } = database.config.connection as { database: string; password: string }
    const admin = await database.open()
    const [first, second, other] = ['a', 'b', 'c'].map(letter => `${name}_${letter}`) as [string, string, string]
    t.teardown(async () => {
      for (const user of [first, second, other]) await admin.run(`DROP OWNED BY ${user} CASCADE; DROP ROLE ${user}`)
      await admin.close()
    })
    for (const user of [first, second, other])
      await admin.run(
        `CREATE ROLE ${user} LOGIN PASSWORD '${password || 'x'}'; CREATE SCHEMA ${user} AUTHORIZATION ${user}`,
      )
    await admin.run(`ALTER ROLE ${first} SET search_path = ${first}, public`)
    await admin.run(`ALTER ROLE ${other} SET search_path = public`)
    const own = (user: string, schema = user): DatabaseConfig => ({
      connection: { user, schema, password: password || 'x' },
    })
    const refused = /connection\.schema would set the schema of others: let each schema have a database user/
    t.match(await said(config({ connection: { schema: first } })), refused, 'one user for all schemas')
    t.match(await said(config(own(other))), refused, 'a user who begins elsewhere')
    t.match(await said(config(own(first, second))), refused, 'the schema of somebody else')
    // The second user begins in the schema of his name, without a setting.
    const kernels = await Promise.all([first, second].map(user => start(own(user))))
    t.same(
      kernels.map(kernel => kernel.database.assignsWholePlaces),
      [true, true],
      'each schema has an election of its own',
    )
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        kernels[n % 2]!.query('api::tag.tag').create({ data: { label: `${n % 2}` } }),
      ),
    )
    for (const [i, user] of [first, second].entries())
      t.same(await admin.all(`SELECT label, COUNT(*) AS n FROM ${user}.tags GROUP BY label`), [
        { label: String(i), n: '10' },
      ])
    t.teardown(() => Promise.all(kernels.map(kernel => kernel.close())))
  })
}
