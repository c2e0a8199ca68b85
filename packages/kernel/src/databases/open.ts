// Opens a database: the one place that asks which it is. Whatever is wrong is told with the place where it was looked for.

import { Database, type ReportError } from '../database/database.ts'
import { connectTimeout, type Driver } from '../database/driver.ts'
import { DatabaseConnectionError, StartError } from '../errors.ts'
import type { ResolvedDatabase } from './config.ts'
import { requirePackage } from './packages.ts'

/** Opens the database and asks it something. Throws DatabaseConnectionError, and StartError where its package is not there. */
export async function openDatabase(config: ResolvedDatabase, report: ReportError): Promise<Database> {
  // MariaDB connects without one, and PostgreSQL to that of the user's name.
  if (config.client === 'mysql' && !config.connection.database)
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      'config/database: no database is named; `connection.database` does so, or DATABASE_NAME',
    )
  await requirePackage(config.client)
  let database: Database | null = null
  try {
    database = new Database(await loadDriver(config), config, report)
    await database.connect()
    return database
  } catch (error) {
    await database?.close()
    const { cause = error } = error as Error
    throw new DatabaseConnectionError(placeOf(config), namingSilence(config, cause as Error))
  }
}

/** The driver of the database, whose modules nobody else loads. */
async function loadDriver(config: ResolvedDatabase): Promise<Driver> {
  switch (config.client) {
    case 'sqlite':
      return (await import('./sqlite/driver.ts')).createSqliteDriver(config)
    case 'mysql':
      return (await import('./mysql/driver.ts')).createMysqlDriver(config)
    case 'postgres':
      return (await import('./postgres/driver.ts')).createPostgresDriver(config)
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
