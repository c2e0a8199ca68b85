// Errors of servers that say "not now": time limits, full disks, read-only servers, exhausted resources. They become a 503 or
// a 507 with Retry-After. Conflicts, which are tried again, and lost connections are retry.ts's business.

import { InsufficientStorageError, UnavailableError } from '../errors.ts'

/** What an error means for the caller, and for the connection that brought it. */
interface Meaning {
  readonly message: string
  /** The disk is full: 507. */
  readonly isStorage?: boolean
  /** Another connection may reach a server that can: after a fail-over, this one is still at the old primary. */
  readonly isOfConnection?: boolean
}

const limit: Meaning = { message: 'The database took too long' }
const lock: Meaning = { message: 'The entry is being changed by somebody else' }
const full: Meaning = { message: 'The database has no space left', isStorage: true }
const readOnly: Meaning = { message: 'The database is read-only', isOfConnection: true }
const resources: Meaning = { message: 'The database has no resources left' }

/** By SQLSTATE (PostgreSQL) and by error number (MySQL and MariaDB). */
const meanings = new Map<string | number, Meaning>([
  ['57014', limit], // statement_timeout, or cancelled
  ['55P03', lock], // lock_timeout
  ['25006', readOnly],
  ['53100', full],
  ['53000', resources],
  ['53200', resources], // out of memory
  ['53400', resources], // a limit of the configuration
  ['55000', { message: 'The database is not ready for this' }], // for one, it is recovering
  ['58030', { message: 'The database cannot use its disk' }],
  [1021, full], // ER_DISK_FULL
  [1114, full], // ER_RECORD_FILE_FULL
  [1026, { message: 'The database cannot use its disk' }], // ER_ERROR_ON_WRITE; 28 in its text is ENOSPC
  [1205, lock], // ER_LOCK_WAIT_TIMEOUT
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
  [1203, resources], // ER_TOO_MANY_USER_CONNECTIONS
  [1226, resources], // ER_USER_LIMIT_REACHED
  [1461, resources], // ER_MAX_PREPARED_STMT_COUNT_REACHED
  [1637, resources], // ER_TOO_MANY_CONCURRENT_TRXS
])

/** Errors of storage engines (1030, 1296) name the system's or their own number in their text. */
const engineErrors = new Set([1005, 1026, 1030, 1296])
const isDiskFull = (text: string) => /\b(?:errno|error):? (?:28|135)\b|no space left on device|disk full/i.test(text)

function meaningOf(error: unknown): Meaning | null {
  const { code, errno, message } = (error ?? {}) as { code?: unknown; errno?: unknown; message?: unknown }
  if (typeof errno === 'number' && engineErrors.has(errno) && isDiskFull(String(message))) return full
  return meanings.get(errno as number) ?? meanings.get(code as string) ?? null
}

/** The 503 or 507 of an error that says that the server cannot do this now; null for all other errors. */
export function unavailable(error: unknown): UnavailableError | null {
  const meaning = meaningOf(error)
  if (meaning === null) return null
  const options = { cause: error }
  return meaning.isStorage === true
    ? new InsufficientStorageError(meaning.message, options)
    : new UnavailableError(meaning.message, options)
}

/** Is the connection that brought the error of no more use, where another one may be? */
export function spoilsConnection(error: unknown): boolean {
  return meaningOf(error)?.isOfConnection === true
}
