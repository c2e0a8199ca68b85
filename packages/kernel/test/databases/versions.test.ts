// Versions of databases: those that lack a feature that the statements use are refused at the start.

import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'
import { mariadb, laterMariadb, mysql } from '../../src/databases/mysql/dialect.ts'
import { createMysqlDriver } from '../../src/databases/mysql/driver.ts'
import { createPostgresDriver } from '../../src/databases/postgres/driver.ts'
import { resolveDatabase } from '../../src/databases/config.ts'
import { createKernel } from '../../src/index.ts'
import type { Session } from '../../src/database/session.ts'

const resolved = (client: 'mysql' | 'postgres') =>
  resolveDatabase({ client, connection: { host: '127.0.0.1', port: 1, database: 'a' } }, '.') as never

/** A session on which every statement returns this row. */
const answering = (...row: unknown[]) => ({ all: async () => [row] }) as unknown as Session

const tooOld = (message: string) => ({ code: 'PLINTH_DATABASE_VERSION', message: `config/database: ${message}` })

t.test('MySQL and MariaDB', async t => {
  const connect = async (version: string) => createMysqlDriver(resolved('mysql')).connect(answering(version, '16382'))
  /** The dialect of a version, whatever it knows of the character sets of the tables. */
  const dialectOf = async (version: string) => ({ ...(await connect(version)), narrowTests: null })
  for (const version of ['8.0.17', '8.0.36-0ubuntu0.22.04.1', '8.4.0', '9.1.0', '8.0', 'unknown'])
    t.same(await dialectOf(version), mysql, version)
  for (const version of [
    '10.5.2-MariaDB',
    '10.11.19-MariaDB-1:10.11.19+maria~ubu2204',
    '5.5.5-10.6.4-MariaDB',
    '11.4.2-MariaDB',
  ])
    t.same(await dialectOf(version), mariadb, version)
  t.same(await dialectOf('11.5.1-MariaDB'), laterMariadb)
  await t.rejects(connect('5.7.44-log'), tooOld('MySQL 5.7.44 is too old: Plinth needs MySQL 8.0.17 or later'))
  await t.rejects(connect('8.0.16'), tooOld('MySQL 8.0.16 is too old: Plinth needs MySQL 8.0.17 or later'))
  const mariadb105 = 'Plinth needs MariaDB 10.5.2 or later'
  await t.rejects(connect('10.4.34-MariaDB'), tooOld(`MariaDB 10.4.34 is too old: ${mariadb105}`))
  await t.rejects(connect('5.5.5-10.3.39-MariaDB'), tooOld(`MariaDB 10.3.39 is too old: ${mariadb105}`))
  await t.rejects(connect('5.5.68-MariaDB'), tooOld(`MariaDB 5.5.68 is too old: ${mariadb105}`))
})

t.test('PostgreSQL', async t => {
  const connect = async (version: string) => createPostgresDriver(resolved('postgres')).connect(answering(version))
  for (const version of ['9.6', '9.6.24', '15.20 (Debian 15.20-0+deb12u1)', '18beta1'])
    t.ok(await connect(version), version)
  await t.rejects(connect('9.5.25'), tooOld('PostgreSQL 9.5.25 is too old: Plinth needs PostgreSQL 9.6 or later'))
})

t.test('a start with an old SQLite is one sentence', async t => {
  const { prepare } = BetterSqlite3.prototype
  BetterSqlite3.prototype.prepare = function (this: BetterSqlite3.Database, text: string) {
    return prepare.call(this, text === 'SELECT sqlite_version()' ? `SELECT '3.34.1'` : text)
  } as typeof prepare
  t.teardown(() => {
    BetterSqlite3.prototype.prepare = prepare
  })
  const database = { client: 'sqlite', connection: { filename: ':memory:' } } as const
  const expected = tooOld('SQLite 3.34.1 is too old: Plinth needs SQLite 3.35 or later')
  await t.rejects(createKernel({ database, migrate: 'none' }), expected)
})
