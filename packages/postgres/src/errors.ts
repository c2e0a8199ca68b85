// Classifies the errors of PostgreSQL by SQLSTATE, and those of pg, which have none.

import { type DriverError, type DriverErrors, type ErrorMeaning, fieldsOf } from '@plinth/kernel/database'
import { lostBySystem } from '@plinth/sql-servers'

type PostgresError = DriverError & { readonly detail?: unknown; readonly severity?: unknown }

const lost: ErrorMeaning = { kind: 'lost' }
const conflict: ErrorMeaning = { kind: 'conflict' }
const value: ErrorMeaning = { kind: 'value' }
const resources: ErrorMeaning = { kind: 'unavailable', message: 'The database has no resources left' }

const byState = new Map<unknown, ErrorMeaning>([
  ...[...lostBySystem, ...['25P03', '25P04', '57P01', '57P02', '57P03', '57P04', '57P05', '53300']].map(
    state => [state, lost] as const,
  ),
  ['23505', { kind: 'duplicate' }],
  ['23503', { kind: 'orphan' }],
  ['40001', conflict],
  ['40P01', conflict],
  // lock_timeout
  ['55P03', { kind: 'conflict', message: 'The entry is locked by another write', isLockTimeout: true }],
  // statement_timeout, or cancelled
  ['57014', { kind: 'unavailable', message: 'The database took too long for this statement', isOfStatement: true }],
  ['25006', { kind: 'unavailable', message: 'The database is read-only', isOfWrites: true, isOfConnection: true }],
  ['53100', { kind: 'unavailable', message: 'The database has no space left', isStorage: true }],
  ['53000', resources],
  ['53200', resources], // out of memory
  ['53400', resources], // a limit of the configuration
  ['55000', { kind: 'unavailable', message: 'The database is not ready for this statement' }], // for one, it is recovering
  ['58030', { kind: 'unavailable', message: 'The database cannot access its disk' }],
])

/** The severities of errors after which a server or a pooler ends the connection; a server may translate them. */
const endsConnection = new Set<unknown>(['FATAL', 'PANIC'])

/** Class 08: connection exceptions. 08P01 is also the state of a message that the server does not understand. */
const isOfConnection = (state: string) => state.startsWith('08') && state !== '08P01'

export const postgresErrors: DriverErrors = {
  meaningOf(error) {
    const { code, message, severity } = fieldsOf<PostgresError>(error)
    const meaning = byState.get(code)
    if (meaning !== undefined) return meaning
    const state = /^[0-9A-Z]{5}$/.exec(String(code))?.[0] ?? ''
    // A pooler reports by a fatal 08P01 that it has no connection to the server, or none left.
    if (endsConnection.has(severity) || isOfConnection(state)) return lost
    // Class 22: invalid data.
    if (state.startsWith('22')) return value
    // pg sets no code if the server closed the socket. knex writes the statement before the message.
    return /(?:^| - )(?:Connection terminated.*|.*not queryable|timeout expired)$/.test(String(message)) ? lost : null
  },
  /** The error names the columns. */
  names(error, { columns }) {
    const detail = String(fieldsOf<PostgresError>(error).detail).replaceAll('"', '')
    return detail.startsWith(`Key (${columns.join(', ')})=`)
  },
}

/** Returns whether the server refused a statement because an earlier one of its transaction failed. */
export function isAborted(error: unknown): boolean {
  return fieldsOf(error).code === '25P02'
}
