// Opens a database by its definition. Errors name the database and its address. Knows no kind of database.

import type { ReportError } from '../connection/callers.ts'
import { connectTimeout } from '../connection/connect-timeout.ts'
import { Database } from '../connection/database.ts'
import type { OutageLog } from '../connection/outages.ts'
import { DatabaseConnectionError, StartError } from '../errors.ts'
import type { OpenableDatabase } from './config.ts'

const silent: OutageLog = { error: () => {}, warn: () => {} }

/**
 * Opens the database and runs a first statement. `log` receives what later keeps it from answering. Throws
 * DatabaseConnectionError, or StartError for settings that the database refuses, or if it is too old.
 */
export async function openDatabase(
  { definition, settings }: OpenableDatabase,
  report: ReportError,
  log: OutageLog = silent,
): Promise<Database> {
  const place = definition.place(settings)
  let database: Database | null = null
  try {
    database = new Database(definition.open(settings), { ...settings, place, log }, report)
    await database.connect()
    return database
  } catch (error) {
    await database?.close()
    if (error instanceof StartError) throw error
    const { cause = error } = error as Error
    const seconds = connectTimeout(settings) / 1000
    const reason = definition.isSilence?.(cause as Error) === true ? silence(seconds, cause as Error) : (cause as Error)
    throw new DatabaseConnectionError(`${place}${definition.account?.(settings) ?? ''}`, reason)
  }
}

/** Replaces the messages of drivers for a server that does not answer. */
function silence(seconds: number, cause: Error): Error {
  return new Error(`the server did not answer within ${seconds} s`, { cause })
}
