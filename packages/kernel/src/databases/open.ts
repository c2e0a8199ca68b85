// The first contact with a database, at the start: whatever is wrong is told with the place where it was looked for.

import { DatabaseConnectionError, StartError } from '../errors.ts'
import type { ResolvedDatabase } from './config.ts'
import { Database, type ReportError } from '../database/database.ts'
import { connectTimeout } from '../database/driver.ts'

/** Opens the database and asks it something. Throws DatabaseConnectionError. */
export async function openDatabase(config: ResolvedDatabase, report: ReportError): Promise<Database> {
  // MariaDB connects without one, and PostgreSQL to that of the user's name.
  if (config.client === 'mysql' && !config.connection.database)
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      'config/database: no database is named; `connection.database` does so, or DATABASE_NAME',
    )
  let database: Database | null = null
  try {
    database = new Database(config, report)
    await database.meet()
    return database
  } catch (error) {
    await database?.close()
    const { cause = error } = error as Error
    throw new DatabaseConnectionError(placeOf(config), namingSilence(config, cause as Error))
  }
}

/** Drivers say in words of their own that nobody answered. */
function namingSilence(config: ResolvedDatabase, error: Error & { code?: unknown }): Error {
  if (error.message !== 'timeout expired' && error.message !== 'connect ETIMEDOUT') return error
  return new Error(`no answer within ${connectTimeout(config) / 1000} s`, { cause: error })
}

/** Never the password. */
function placeOf(config: ResolvedDatabase): string {
  if (config.client === 'sqlite') return config.filename
  const { host, port, database, user } = config.connection
  return `the ${config.client} database "${database ?? ''}" at ${host}:${port} as ${user ?? 'nobody'}`
}
