// Classifies SQLite's errors by the names that better-sqlite3 gives them. Does not depend on connections.

import { type DriverErrors, type ErrorMeaning, note } from '../../database/meaning.ts'
import { InsufficientStorageError, UnavailableError } from '../../errors.ts'

const conflict: ErrorMeaning = { kind: 'conflict' }

const byName = new Map<unknown, ErrorMeaning>([
  ['SQLITE_BUSY', conflict],
  ['SQLITE_BUSY_SNAPSHOT', conflict],
  ['SQLITE_LOCKED', conflict],
  ['SQLITE_CONSTRAINT_UNIQUE', { kind: 'duplicate' }],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', { kind: 'orphan' }],
])

export const sqliteErrors: DriverErrors = {
  meaningOf: error => byName.get(codeOf(error)) ?? null,
  /** The error names the columns. */
  names: (error, { table, columns }) =>
    (error as Error).message.endsWith(`: ${columns.map(one => `${table}.${one}`).join(', ')}`),
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Whether another connection holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error))
}

/** The error for callers if the file cannot be used now; null for all other errors. */
export function unavailableOf(error: unknown): UnavailableError | null {
  const code = codeOf(error)
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE')
    return new InsufficientStorageError('The database has no space left', { retryAfter: 10, cause: error })
  if (/^SQLITE_READONLY/.test(code))
    return new UnavailableError('The database is read-only', { retryAfter: 10, cause: error })
  if (/^SQLITE_(IOERR|CANTOPEN)/.test(code))
    return new UnavailableError('The database file cannot be used', { retryAfter: 10, cause: error })
  return null
}

/** Converts an error of a connection to the error that is thrown. */
export function thrownFor(error: unknown): unknown {
  const refusal = unavailableOf(error)
  if (refusal === null) note(error, sqliteErrors)
  return refusal ?? error
}

/** Whether another process writes. SQLite's error may be the cause of the error that callers receive. */
export function isHeld(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return /^SQLITE_BUSY|^SQLITE_LOCKED/.test(code ?? cause?.code ?? '')
}
