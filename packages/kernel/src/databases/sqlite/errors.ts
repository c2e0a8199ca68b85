// SQLite's errors that are nobody's mistake and may pass: what they mean to callers. Knows no connection.

import { InsufficientStorageError, UnavailableError } from '../../errors.ts'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Does another connection hold what the statement needs? */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error))
}

/** The error for callers where the file cannot be used now; null for all other errors. */
export function unavailableOf(error: unknown): UnavailableError | null {
  const code = codeOf(error)
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE')
    return new InsufficientStorageError('The database has no room left', { retryAfter: 10, cause: error })
  if (/^SQLITE_READONLY/.test(code))
    return new UnavailableError('The database is read-only', { retryAfter: 10, cause: error })
  if (/^SQLITE_(IOERR|CANTOPEN)/.test(code))
    return new UnavailableError('The database file cannot be used', { retryAfter: 10, cause: error })
  return null
}

/** Does another process write? The error may be the cause of one that says so to callers. */
export function isHeld(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return /^SQLITE_BUSY|^SQLITE_LOCKED/.test(code ?? cause?.code ?? '')
}
