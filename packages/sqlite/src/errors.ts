// Classifies SQLite's errors by the names that better-sqlite3 gives them. Does not depend on connections.

import { type DriverErrors, type ErrorMeaning, note, type UnavailableError, unavailable } from '@plinth/kernel/database'

const conflict: ErrorMeaning = { kind: 'conflict' }

/** The meaning of an error that says that the file cannot be used now. A disk takes longer to mend than a lock. */
const unusable = (message: string, more: Partial<ErrorMeaning> = {}): ErrorMeaning => ({
  kind: 'unavailable',
  message,
  retryAfter: 10,
  ...more,
})
const full = unusable('The database has no space left', { isStorage: true })
const readOnly = unusable('The database is read-only', { isOfWrites: true })
const broken = unusable('The database file cannot be used')
const resources = unusable('The database has no resources left')

const byName = new Map<unknown, ErrorMeaning>([
  ['SQLITE_BUSY', conflict],
  ['SQLITE_BUSY_SNAPSHOT', conflict],
  ['SQLITE_LOCKED', conflict],
  ['SQLITE_CONSTRAINT_UNIQUE', { kind: 'duplicate' }],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', { kind: 'orphan' }],
])

export const sqliteErrors: DriverErrors = {
  meaningOf(error) {
    const code = codeOf(error)
    if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE') return full
    if (/^SQLITE_READONLY/.test(code)) return readOnly
    if (/^SQLITE_(IOERR|CANTOPEN|PERM)/.test(code)) return broken
    if (code === 'SQLITE_NOMEM') return resources
    return byName.get(code) ?? null
  },
  /** The error names the columns. */
  names: (error, { table, columns }) =>
    (error as Error).message.endsWith(`: ${columns.map(one => `${table}.${one}`).join(', ')}`),
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Returns whether another connection holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error))
}

/** The error for callers if the file cannot be used now; null for all other errors. */
export function unavailableOf(error: unknown): UnavailableError | null {
  note(error, sqliteErrors)
  return unavailable(error)
}

/** Converts an error of a connection to the error that is thrown. */
export function thrownFor(error: unknown): unknown {
  return unavailableOf(error) ?? error
}

/** Returns whether another process writes. SQLite's error may be the cause of the error that callers receive. */
export function isHeld(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return /^SQLITE_BUSY|^SQLITE_LOCKED/.test(code ?? cause?.code ?? '')
}
