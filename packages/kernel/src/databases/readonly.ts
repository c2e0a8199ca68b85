// Opens a database for reading only: SQLite's file is opened read-only, sessions of servers are set to read-only.

import type { Ddl } from '../database/ddl.ts'
import type { Session } from '../database/session.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { ResolvedDatabase } from './config.ts'
import { openDatabase } from './open.ts'
import { requirePackage } from './packages.ts'

/** The first statement on a connection to a server. */
const settings = {
  mysql: 'SET SESSION TRANSACTION READ ONLY',
  postgres: 'SET default_transaction_read_only = on',
} as const

/** Passes a read-only session to `work`. Throws if the database does not open. */
export async function readOnly<T>(
  config: ResolvedDatabase,
  work: (ddl: Ddl, session: Session, dialect: Dialect) => Promise<T>,
): Promise<T> {
  if (config.client === 'sqlite') {
    await requirePackage(config.client)
    return (await import('./sqlite/readonly.ts')).readFile(config.filename, work)
  }
  const { client } = config
  const database = await openDatabase({ ...config, pool: { min: 0, max: 1 } }, () => {})
  try {
    return await database.readUnlimited(async session => {
      await session.run(settings[client], [])
      return work(database.ddl, session, database.dialect)
    })
  } finally {
    await database.close()
  }
}
