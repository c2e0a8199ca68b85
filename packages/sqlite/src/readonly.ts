// Opens a SQLite file for reading only.

import { existsSync } from 'node:fs'
import { type Ddl, type Dialect, type Session, StartError } from '@plinth/kernel/database'
import BetterSqlite3 from 'better-sqlite3'
import { addFunctions } from './connection.ts'
import { sqliteDdl } from './ddl.ts'
import { sqlite } from './dialect.ts'
import { SqliteSession } from './session.ts'

/** Passes a read-only session to `work`. Throws if the file does not exist. */
export async function readFile<T>(
  filename: string,
  work: (ddl: Ddl, session: Session, dialect: Dialect) => Promise<T>,
): Promise<T> {
  if (!existsSync(filename)) throw new StartError('PLINTH_DATABASE_MISSING', `The database ${filename} does not exist`)
  const connection = new BetterSqlite3(filename, { readonly: true, fileMustExist: true })
  try {
    addFunctions(connection)
    // Reads the file, which opening alone does not.
    connection.pragma('schema_version')
    return await work(sqliteDdl, new SqliteSession(connection, Number.POSITIVE_INFINITY), sqlite)
  } finally {
    connection.close()
  }
}
