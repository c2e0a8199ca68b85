// Opens a database for reading only. Where the definition does not say how, the session is set to read-only, or the read
// has a transaction of its own, because a pooler may give the connection to others.

import type { Session } from '../database/session.ts'
import type { OpenableDatabase } from './config.ts'
import type { ReadonlyWork } from './definition.ts'
import { openDatabase } from './open.ts'

/** Passes a read-only session to `work`. Throws if the database does not open. */
export async function readOnly<Result>(
  { definition, settings }: OpenableDatabase,
  work: ReadonlyWork<Result>,
): Promise<Result> {
  if (definition.openReadonly !== undefined) return definition.openReadonly(settings, work)
  const database = await openDatabase({ definition, settings: { ...settings, pool: { min: 0, max: 1 } } }, () => {})
  try {
    const read = (session: Session) => work(database.ddl, session, database.dialect)
    const { readOnlyStatement } = database
    if (readOnlyStatement === null) return await database.readSnapshot(read)
    return await database.readUnlimited(async session => {
      await session.run(readOnlyStatement, [])
      return read(session)
    })
  } finally {
    await database.close()
  }
}
