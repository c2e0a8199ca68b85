// Classifies the errors of PostgreSQL by SQLSTATE, and those of pg, which have none.

import type { DriverErrors, ErrorMeaning } from '../../database/meaning.ts'
import { type DriverError, fieldsOf, lostBySystem } from '../system-errors.ts'

type PostgresError = DriverError & { readonly detail?: unknown }

const lost: ErrorMeaning = { kind: 'lost' }
const conflict: ErrorMeaning = { kind: 'conflict' }
const value: ErrorMeaning = { kind: 'value' }
const resources: ErrorMeaning = { kind: 'unavailable', message: 'The database has no resources left' }

const byState = new Map<unknown, ErrorMeaning>([
  ...[
    ...lostBySystem,
    ...['25P03', '25P04', '57P05', '57P01', '57P02', '57P03', '53300', '08006', '08003', '08001', '08004'],
  ].map(state => [state, lost] as const),
  ['23505', { kind: 'duplicate' }],
  ['23503', { kind: 'orphan' }],
  ['40001', conflict],
  ['40P01', conflict],
  // lock_timeout
  ['55P03', { kind: 'conflict', message: 'The entry is locked by another write', isLockTimeout: true }],
  ['57014', { kind: 'unavailable', message: 'The database took too long for this statement' }], // statement_timeout, or cancelled
  ['25006', { kind: 'unavailable', message: 'The database is read-only', isOfConnection: true }],
  ['53100', { kind: 'unavailable', message: 'The database has no space left', isStorage: true }],
  ['53000', resources],
  ['53200', resources], // out of memory
  ['53400', resources], // a limit of the configuration
  ['55000', { kind: 'unavailable', message: 'The database is not ready for this statement' }], // for one, it is recovering
  ['58030', { kind: 'unavailable', message: 'The database cannot access its disk' }],
])

export const postgresErrors: DriverErrors = {
  meaningOf(error) {
    const { code, message } = fieldsOf<PostgresError>(error)
    const known = byState.get(code)
    if (known !== undefined) return known
    // Class 22: invalid data.
    if (/^22[0-9A-Z]{3}$/.test(String(code))) return value
    // pg sets no code if the server closed the socket.
    return /^Connection terminated|not queryable$|^timeout expired$/.test(String(message)) ? lost : null
  },
  /** The error names the columns. */
  names(error, { columns }) {
    const detail = String(fieldsOf<PostgresError>(error).detail).replaceAll('"', '')
    return detail.startsWith(`Key (${columns.join(', ')})=`)
  },
}

/** Whether the server refused a statement because an earlier one of its transaction failed. */
export function isAborted(error: unknown): boolean {
  return fieldsOf(error).code === '25P02'
}
