// A database that is only looked at: SQLite's file is opened for reading, servers are told that nothing may change.

import type { Ddl } from '../database/ddl.ts'
import type { Session } from '../database/session.ts'
import type { ResolvedDatabase } from './config.ts'
import { openDatabase } from './open.ts'
import { requirePackage } from './packages.ts'

/** What a server's connection is told before anything else. */
const settings = {
  mysql: 'SET SESSION TRANSACTION READ ONLY',
  postgres: 'SET default_transaction_read_only = on',
} as const

/** Hands a session that cannot change anything to `work`. Throws where the database does not open. */
export async function readOnly<T>(
  config: ResolvedDatabase,
  work: (ddl: Ddl, session: Session) => Promise<T>,
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
      return work(database.ddl, session)
    })
  } finally {
    await database.close()
  }
}
