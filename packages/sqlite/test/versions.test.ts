// Versions of databases: those that lack a feature that the statements use are refused at the start.

import { createKernel } from '@plinth/kernel'
import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'

const tooOld = (message: string) => ({ code: 'PLINTH_DATABASE_VERSION', message: `config/database: ${message}` })

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
