// Opens a database; the only module that depends on the kind of database. Errors name the database and its address.

import { Database, type ReportError } from '../database/database.ts'
import { connectTimeout, type Driver } from '../database/driver.ts'
import { DatabaseConnectionError, StartError } from '../errors.ts'
import type { ResolvedDatabase } from './config.ts'
import { requirePackage } from './packages.ts'

/**
 * Opens the database and runs a first statement. Throws DatabaseConnectionError, or StartError if its package is not
 * installed or if the database is too old.
 */
export async function openDatabase(config: ResolvedDatabase, report: ReportError): Promise<Database> {
  // Without a name, MariaDB connects to no database, and PostgreSQL to the one named like the user.
  if (config.client === 'mysql' && !config.connection.database)
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      'config/database: the name of the database is missing; set `connection.database` or the variable DATABASE_NAME',
    )
  await requirePackage(config.client)
  let database: Database | null = null
  try {
    database = new Database(await loadDriver(config), { ...config, place: placeOf(config) }, report)
    await database.connect()
    return database
  } catch (error) {
    await database?.close()
    if (error instanceof StartError) throw error
    const { cause = error } = error as Error
    throw new DatabaseConnectionError(`${placeOf(config)}${userOf(config)}`, namingSilence(config, cause as Error))
  }
}

/** Loads the driver of the database; the modules of other drivers are not loaded. */
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

/** Replaces the messages of drivers for a server that does not answer. */
function namingSilence(config: ResolvedDatabase, error: Error & { code?: unknown }): Error {
  if (error.message !== 'timeout expired' && error.message !== 'connect ETIMEDOUT') return error
  return new Error(`the server did not answer within ${connectTimeout(config) / 1000} s`, { cause: error })
}

/** Describes the database for messages: its file, or its address. */
function placeOf(config: ResolvedDatabase): string {
  if (config.client === 'sqlite') return config.filename
  const { host, port, database } = addressOf(config.connection)
  const { schema } = config.connection
  const within = schema === undefined ? '' : `, schema "${schema}",`
  return `the ${config.client} database "${database ?? ''}"${within} at ${host}:${port}`
}

/** Describes for messages as whom the database is opened, and which settings are missing. */
function userOf(config: ResolvedDatabase): string {
  if (config.client === 'sqlite') return ''
  const { database, user } = addressOf(config.connection)
  const missing = [
    ...(database === undefined ? ['connection.database or DATABASE_NAME'] : []),
    ...(user === undefined ? ['connection.user or DATABASE_USERNAME'] : []),
  ]
  const text = user === undefined ? ' without a user' : ` as ${user}`
  return missing.length === 0 ? text : `${text} (not set: ${missing.join(', ')})`
}

/** The address in the settings; a connection string takes precedence over them. */
function addressOf(connection: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = connection.connectionString ?? connection.uri
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  if (url === null) return connection
  const { hostname, port, pathname, username } = url
  return {
    host: hostname || connection.host,
    port: port || connection.port,
    database: pathname.slice(1) || connection.database,
    user: username || connection.user,
  }
}
