// Opens a database for reading only. Where the definition does not say how, the session is set to read-only, or the read
// has a transaction of its own, because a pooler may give the connection to others.

import type { Session } from '../connection/session.ts'
import { DatabaseConnectionError, StartError } from '../errors.ts'
import type { OpenableDatabase } from './config.ts'
import type { ReadonlyWork } from './definition.ts'
import { openDatabase } from './open.ts'

/** Passes a read-only session to `work`. Throws if the database does not open. */
export async function readOnly<Result>(
  { definition, settings }: OpenableDatabase,
  work: ReadonlyWork<Result>,
): Promise<Result> {
  if (definition.openReadonly !== undefined) return openedBy(definition.openReadonly, { definition, settings }, work)
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

/** Passes a session that the definition opens to `work`. An error before `work` names the database. */
async function openedBy<Result>(
  open: NonNullable<OpenableDatabase['definition']['openReadonly']>,
  { definition, settings }: OpenableDatabase,
  work: ReadonlyWork<Result>,
): Promise<Result> {
  let isOpen = false
  try {
    return await open<Result>(settings, (...session) => {
      isOpen = true
      return work(...session)
    })
  } catch (error) {
    if (isOpen || error instanceof StartError) throw error
    throw new DatabaseConnectionError(definition.place(settings), error as Error)
  }
}
