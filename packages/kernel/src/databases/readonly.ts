// A database that is only looked at: SQLite's file is opened for reading, servers are told that nothing may change.

import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import type { ResolvedDatabase } from './config.ts'
import { addFunctions } from './sqlite/connection.ts'
import { SqliteSession } from './sqlite/session.ts'
import { openDatabase } from './open.ts'
import type { Session } from '../database/session.ts'
import { StartError } from '../errors.ts'
import type { Dialect } from '../sql/dialect.ts'

/** What a server's connection is told before anything else. */
const settings = {
  mysql: 'SET SESSION TRANSACTION READ ONLY',
  postgres: 'SET default_transaction_read_only = on',
} as const

/** Hands a session that cannot change anything to `work`. Throws where the database does not open. */
export async function readOnly<T>(
  config: ResolvedDatabase,
  work: (name: Dialect['name'], session: Session) => Promise<T>,
): Promise<T> {
  if (config.client === 'sqlite') {
    const { filename } = config
    if (!existsSync(filename)) throw new StartError('PLINTH_DATABASE_MISSING', `there is no database ${filename}`)
    const connection = new BetterSqlite3(filename, { readonly: true, fileMustExist: true })
    try {
      addFunctions(connection)
      return await work('sqlite', new SqliteSession(connection, Number.POSITIVE_INFINITY))
    } finally {
      connection.close()
    }
  }
  const { client } = config
  const database = await openDatabase({ ...config, pool: { min: 0, max: 1 } }, () => {})
  try {
    return await database.readUnlimited(async session => {
      await session.run(settings[client], [])
      return work(client, session)
    })
  } finally {
    await database.close()
  }
}
