// A SQLite file that is only looked at.

import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import type { Ddl } from '../../database/ddl.ts'
import type { Session } from '../../database/session.ts'
import { StartError } from '../../errors.ts'
import { addFunctions } from './connection.ts'
import { sqliteDdl } from './ddl.ts'
import { SqliteSession } from './session.ts'

/** Hands a session that cannot change anything to `work`. Throws where there is no such file. */
export async function readFile<T>(filename: string, work: (ddl: Ddl, session: Session) => Promise<T>): Promise<T> {
  if (!existsSync(filename)) throw new StartError('PLINTH_DATABASE_MISSING', `there is no database ${filename}`)
  const connection = new BetterSqlite3(filename, { readonly: true, fileMustExist: true })
  try {
    addFunctions(connection)
    return await work(sqliteDdl, new SqliteSession(connection, Number.POSITIVE_INFINITY))
  } finally {
    connection.close()
  }
}
