// Versions of databases: those that lack a feature that the statements use are refused at the start.

import type { DriverSettings, Session } from '@plinth/kernel/database'
import t from 'tap'
import { laterMariadb, mariadb, mysql } from '../src/dialect.ts'
import definition from '../src/index.ts'

/** The settings of a server to which no connection is opened. */
const settings: DriverSettings = {
  dir: '.',
  connection: { host: '127.0.0.1', port: 1, database: 'a' },
  pool: { min: 0, max: 10 },
  acquireTimeout: 5000,
  statementTimeout: 15_000,
  lockTimeout: 3000,
  idleTransactionTimeout: 30_000,
  synchronous: 'normal',
  rememberTotals: false,
  consistentReads: undefined,
  preparedStatements: true,
  storedTimeZone: undefined,
}

/** A session on which every statement returns this row. */
const answering = (...row: unknown[]) => ({ all: async () => [row] }) as unknown as Session

const tooOld = (message: string) => ({ code: 'PLINTH_DATABASE_VERSION', message: `config/database: ${message}` })

t.test('MySQL and MariaDB', async t => {
  const connect = async (version: string) => definition.database.open(settings).connect(answering(version, '16382'))
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
