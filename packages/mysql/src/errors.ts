// Classifies the errors of MySQL, MariaDB and mysql2: by mysql2's names, and by number if mysql2 has no name or a wrong
// one.

import { type DriverError, type DriverErrors, type ErrorMeaning, fieldsOf } from '@plinth/kernel/database'
import { lostBySystem } from '@plinth/sql-servers'

type MysqlError = DriverError & { readonly fatal?: unknown; readonly sqlState?: unknown }

const lost: ErrorMeaning = { kind: 'lost' }
const conflict: ErrorMeaning = { kind: 'conflict' }
const orphan: ErrorMeaning = { kind: 'orphan' }
const value: ErrorMeaning = { kind: 'value' }

const byName = new Map<unknown, ErrorMeaning>([
  ...[
    ...lostBySystem,
    'PROTOCOL_CONNECTION_LOST',
    'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
    'ER_SERVER_SHUTDOWN',
    'ER_CON_COUNT_ERROR',
    'ER_CONNECTION_KILLED',
    'ER_NORMAL_SHUTDOWN',
  ].map(name => [name, lost] as const),
  ['ER_DUP_ENTRY', { kind: 'duplicate' }],
  ['ER_NO_REFERENCED_ROW', orphan],
  ['ER_NO_REFERENCED_ROW_2', orphan],
  ['ER_ROW_IS_REFERENCED', orphan],
  ['ER_ROW_IS_REFERENCED_2', orphan],
  ['ER_LOCK_DEADLOCK', conflict],
  ['ER_LOCK_WAIT_TIMEOUT', { kind: 'conflict', isLockTimeout: true }],
  ['ER_CHECKREAD', conflict],
  ['ER_AUTOINC_READ_FAILED', conflict],
  ...[
    'ER_DATA_TOO_LONG',
    'ER_WARN_DATA_OUT_OF_RANGE',
    'ER_DATA_OUT_OF_RANGE',
    'ER_TRUNCATED_WRONG_VALUE',
    'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD',
    'ER_WRONG_VALUE',
    'ER_INVALID_JSON_TEXT',
    'ER_CONSTRAINT_FAILED',
    'ER_CANNOT_CONVERT_STRING',
    'ER_INVALID_CHARACTER_STRING',
    'ER_NET_PACKET_TOO_LARGE',
  ].map(name => [name, value] as const),
])

const limit: ErrorMeaning = {
  kind: 'unavailable',
  message: 'The database took too long for this statement',
  isOfStatement: true,
}
const full: ErrorMeaning = { kind: 'unavailable', message: 'The database has no space left', isStorage: true }
const readOnly: ErrorMeaning = {
  kind: 'unavailable',
  message: 'The database is read-only',
  isOfWrites: true,
  isOfConnection: true,
}
const resources: ErrorMeaning = { kind: 'unavailable', message: 'The database has no resources left' }
const unready: ErrorMeaning = {
  kind: 'unavailable',
  message: 'The database is not ready for this statement',
  isOfConnection: true,
}

const byNumber = new Map<unknown, ErrorMeaning>([
  [1021, full], // ER_DISK_FULL
  [1114, full], // ER_RECORD_FILE_FULL
  [1026, { kind: 'unavailable', message: 'The database cannot access its disk' }], // ER_ERROR_ON_WRITE; 28 in its text is ENOSPC
  // ER_LOCK_WAIT_TIMEOUT
  [1205, { kind: 'conflict', message: 'The entry is locked by another write', isLockTimeout: true }],
  [3058, conflict], // MySQL's ER_USER_LOCK_DEADLOCK, for which MariaDB has ER_LOCK_DEADLOCK
  [1290, readOnly], // ER_OPTION_PREVENTS_STATEMENT: --read-only
  [1792, readOnly], // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
  [1836, readOnly], // ER_READ_ONLY_MODE
  [1317, limit], // ER_QUERY_INTERRUPTED
  [1969, limit], // max_statement_time of MariaDB
  [3024, limit], // max_execution_time of MySQL
  [1028, resources], // ER_FILSORT_ABORT
  [1037, resources], // ER_OUTOFMEMORY
  [1038, resources], // ER_OUT_OF_SORTMEMORY
  [1041, resources], // ER_OUT_OF_RESOURCES
  [1047, unready], // ER_UNKNOWN_COM_ERROR: a node of Galera that joins, or that has no majority
  [1180, unready], // ER_ERROR_DURING_COMMIT: for one, the node has lost its majority
  [1129, lost], // ER_HOST_IS_BLOCKED
  [1135, resources], // ER_CANT_CREATE_THREAD
  [1203, resources], // ER_TOO_MANY_USER_CONNECTIONS
  [1206, resources], // ER_LOCK_TABLE_FULL
  [1226, resources], // ER_USER_LIMIT_REACHED
  [1461, resources], // ER_MAX_PREPARED_STMT_COUNT_REACHED
  [1637, resources], // ER_TOO_MANY_CONCURRENT_TRXS
  [1927, lost], // MariaDB's "connection was killed", for which mysql2 has no name
  [3100, unready], // ER_RUN_HOOK_ERROR: a member of a replication group that cannot commit, for one without a majority
  // ER_CANT_AGGREGATE_2COLLATIONS and its like: a text that the character set of a column does not have.
  [1267, value],
  [1270, value],
  [1271, value],
  [4025, value], // MariaDB's "CONSTRAINT … failed", for JSON nested deeper than it reads (31)
])

/** Errors of storage engines (1030, 1180, 1296) contain the operating system's or the engine's number in their text. */
const engineErrors = new Set<unknown>([1005, 1026, 1030, 1180, 1296])
const isDiskFull = (text: string) => /\b(?:errno|error):? (?:28|135)\b|no space left on device|disk full/i.test(text)

export const mysqlErrors: DriverErrors = {
  meaningOf(error) {
    const { code, errno, fatal, message, sqlState } = fieldsOf<MysqlError>(error)
    // A fatal error ends the connection.
    if (fatal === true) return lost
    if (engineErrors.has(errno) && isDiskFull(String(message))) return full
    const meaning = byNumber.get(errno) ?? byName.get(code)
    if (meaning !== undefined) return meaning
    // Class 08: connection exceptions, those of proxies included.
    return String(sqlState).startsWith('08') ? lost : null
  },
  /** The error names the index. */
  names(error, { table, columns }) {
    const { message } = fieldsOf(error)
    return /for key '(?:.*\.)?(.*)'$/.exec(String(message))?.[1] === `${table}_${columns.join('_')}_unique`
  },
}

/** After these errors the server has rolled back the whole transaction: later statements would commit separately. */
export function endsTransaction(error: unknown): boolean {
  return /^ER_(LOCK_DEADLOCK|CHECKREAD|LOCK_TABLE_FULL)$/.test(String(fieldsOf(error).code))
}
