// Versions of databases: those that lack a feature that the statements use are refused at the start.

import type { DriverSettings, Session } from '@plinth/kernel/database'
import t from 'tap'
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

t.test('PostgreSQL', async t => {
  const connect = async (version: string) => definition.database.open(settings).connect(answering(version))
  for (const version of ['9.6', '9.6.24', '15.20 (Debian 15.20-0+deb12u1)', '18beta1'])
    t.ok(await connect(version), version)
  await t.rejects(connect('9.5.25'), tooOld('PostgreSQL 9.5.25 is too old: Plinth needs PostgreSQL 9.6 or later'))
})
