// What a server cannot do at the moment is a 503, or a 507 if its disk is full, with Retry-After. A connection to a
// server that became read-only is closed, so that the next one may reach the server that writes (security.md F6).

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { type DriverErrors, note } from '../../src/connection/meaning.ts'
import { unavailable } from '../../src/connection/unavailable.ts'
import { createKernel, InsufficientStorageError, UnavailableError } from '../../src/index.ts'
import { thrown, type } from '../fixtures/boot.ts'
import { mysqlErrors, postgresErrors, sqliteErrors } from '../fixtures/driver-errors.ts'

const contentTypes = [type('page', { title: { type: 'string' } })]
const busy = { status: 503, name: 'ServiceUnavailableError', retryAfter: Number }
/** For MariaDB, where SLEEP() that is interrupted is no error. */
const slowSelect = 'SELECT SUM(a.seq + b.seq) FROM seq_1_to_100000 a, seq_1_to_100000 b WHERE a.seq % 7 = b.seq % 11'
const stuffed = { status: 507, name: 'InsufficientStorageError', retryAfter: Number }

/** What an error of a driver becomes. */
function errorOf(errors: DriverErrors, error: unknown) {
  note(error, errors)
  return unavailable(error)
}

t.test('error codes of servers have their meanings', async t => {
  for (const code of ['57014', '25006', '53200', '53400', '55000', '55P03'])
    t.match(errorOf(postgresErrors, { code }), busy, code)
  t.match(errorOf(postgresErrors, { code: '53100' }), stuffed)
  for (const errno of [1047, 1180, 1203, 1205, 1226, 1290, 1317, 1461, 1836, 1969, 3024])
    t.match(errorOf(mysqlErrors, { errno }), busy, String(errno))
  for (const errno of [1021, 1114]) t.match(errorOf(mysqlErrors, { errno }), stuffed, String(errno))
  t.match(mysqlErrors.meaningOf({ errno: 3058 }), { kind: 'conflict' }, 'a deadlock of advisory locks is repeated')
  const engine = (errno: number, message: string) => errorOf(mysqlErrors, { errno, message })
  t.match(engine(1030, `Got error 28 "No space left on device" from storage engine InnoDB`), stuffed)
  t.match(engine(1180, `Got error 28 "No space left on device" during COMMIT`), stuffed)
  t.match(engine(1026, `Error writing file './a/b.MAI' (Errcode: 28 "No space left on device")`), stuffed)
  t.match(engine(1026, `Error writing file './a/b.MAI' (Errcode: 5 "Input/output error")`), busy)
  t.equal(engine(1030, `Got error 122 "Internal" from storage engine InnoDB`), null)
  for (const other of [null, undefined, 'text', new Error('x'), { code: '42703' }, { errno: 1146 }])
    for (const errors of [postgresErrors, mysqlErrors]) t.equal(errorOf(errors, other), null)
  for (const code of ['SQLITE_READONLY_DBMOVED', 'SQLITE_CANTOPEN', 'SQLITE_IOERR_READ', 'SQLITE_PERM', 'SQLITE_NOMEM'])
    t.match(errorOf(sqliteErrors, { code }), { ...busy, retryAfter: 10 }, code)
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_WRITE']) t.match(errorOf(sqliteErrors, { code }), stuffed, code)
  for (const code of ['SQLITE_ERROR', 'SQLITE_CORRUPT']) t.equal(errorOf(sqliteErrors, { code }), null, code)
  t.equal(unavailable({ code: '57014' }), null, 'no error of a driver')
  t.ok(new InsufficientStorageError() instanceof UnavailableError)
  t.equal(postgresErrors.meaningOf({ code: '25006' })!.isOfConnection, true)
  t.equal(mysqlErrors.meaningOf({ errno: 1290 })!.isOfConnection, true)
  t.notOk(postgresErrors.meaningOf({ code: '57014' })!.isOfConnection)
})

t.test('errors that end the connection mean that it is lost, those of poolers and proxies included', async t => {
  const lost = { kind: 'lost' }
  const states = ['08000', '08006', '57P01', '57P04', '53300', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EMFILE']
  for (const code of states) t.match(postgresErrors.meaningOf({ code }), lost, code)
  for (const severity of ['FATAL', 'PANIC'])
    for (const code of ['08P01', '28P01', '3D000', 'XX000', undefined])
      t.match(postgresErrors.meaningOf({ code, severity }), lost, `${severity} ${code}`)
  t.match(
    postgresErrors.meaningOf({ code: '25006', severity: 'FATAL' }),
    { kind: 'unavailable' },
    'what is known stays',
  )
  for (const code of ['08P01', '42601', 'XX000'])
    t.equal(postgresErrors.meaningOf({ code, severity: 'ERROR' }), null, `the server's own ${code}`)
  for (const error of [
    { errno: 9001, fatal: true },
    { errno: 1040, sqlState: '08004' },
    { errno: 1053, sqlState: '08S01' },
    { errno: 1129, sqlState: 'HY000' },
    { errno: 1927, sqlState: '70100' },
    { code: 'EAI_AGAIN' },
  ])
    t.match(mysqlErrors.meaningOf(error), lost, JSON.stringify(error))
  const tooLarge = { errno: 1153, code: 'ER_NET_PACKET_TOO_LARGE', sqlState: '08S01' }
  t.match(mysqlErrors.meaningOf(tooLarge), { kind: 'value' }, 'what the statement is refused for stays')
})

for (const client of await databases()) {
  if (client === 'sqlite') continue
  t.test(client, async t => {
    const database = await freshDatabase(client)
    const kernel = await createKernel({ database: { ...database.config, pool: { min: 0, max: 1 } }, contentTypes })
    t.teardown(async () => {
      await kernel.close()
      await database.drop()
    })
    const pages = kernel.query('api::page.page')
    await pages.create({ data: { title: 'a' } })
    const { finish } = kernel.database.dialect
    const own = client === 'mysql' ? 'SELECT CONNECTION_ID()' : 'SELECT pg_backend_pid()'
    const connection = async () => (await kernel.database.read(session => session.all(own, [])))[0]![0]

    t.test('a time limit of the server is answered 503', async t => {
      const texts =
        client === 'mysql'
          ? ['SET SESSION max_statement_time = 0.05', slowSelect, 'SET SESSION max_statement_time = 0']
          : ['SET statement_timeout = 50', 'SELECT pg_sleep(5)', 'SET statement_timeout = 0']
      await kernel.database.read(session => session.run(texts[0]!, []))
      t.match(await thrown(t, async () => kernel.database.read(session => session.all(texts[1]!, []))), busy)
      t.match(await thrown(t, () => kernel.transaction(async tx => tx.all(texts[1]!, []))), busy)
      await kernel.database.read(session => session.run(texts[2]!, []))
      t.equal(await pages.count(), 1)
    })

    t.test('a lock that a read waits for too long is answered 503', async t => {
      const other = await database.open()
      const lock = client === 'mysql' ? 'LOCK TABLES pages WRITE' : 'BEGIN; LOCK TABLE pages IN ACCESS EXCLUSIVE MODE'
      await kernel.database.read(session =>
        session.run(client === 'mysql' ? 'SET SESSION lock_wait_timeout = 1' : 'SET lock_timeout = 200', []),
      )
      await other.run(lock)
      t.match(await thrown(t, () => pages.findMany()), busy)
      await other.close()
      t.equal(await pages.count(), 1)
    })

    t.test('a read-only server is answered 503, and the next query has another connection', async t => {
      const before = await connection()
      const insert = finish(`INSERT INTO pages (title) VALUES (?)`)
      const work = () =>
        kernel.transaction(async tx => {
          if (client === 'postgres') await tx.run('SET TRANSACTION READ ONLY', [])
          else throw Object.assign(new Error('--read-only'), { code: 'ER_OPTION_PREVENTS_STATEMENT', errno: 1290 })
          await tx.run(insert, ['b'])
        })
      t.match(await thrown(t, work), busy)
      t.not(await connection(), before)
      await pages.create({ data: { title: 'b' } })
      t.equal(await pages.count(), 2)
    })
  })
}
