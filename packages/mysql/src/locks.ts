// The advisory locks of MySQL and MariaDB, which belong to the connection and outlive the transaction.

import { note } from '@plinth/kernel/database'
import { mysqlErrors } from './errors.ts'

/** The maximum number of locks in one statement. */
export const maxNames = 16

/** Seconds to wait for one lock: the same as for a row, which is the configuration's `lockTimeout`. */
const lockPatience = '@@SESSION.innodb_lock_wait_timeout'

/** Names of locks are global to the server, not per database, and have at most 64 characters. */
export function lockNamesText(verb: 'GET_LOCK' | 'RELEASE_LOCK', count: number): string {
  const name = `CONCAT('plinth_', MD5(CONCAT(DATABASE(), ' ', ?)))`
  const one = verb === 'GET_LOCK' ? `GET_LOCK(${name}, ${lockPatience})` : `RELEASE_LOCK(${name})`
  return `SELECT ${Array(count).fill(one).join(', ')}`
}

/** Another transaction holds an advisory lock for too long: a conflict, like a row lock that is not granted. */
export function namedLockError(): Error {
  const error = new NamedLockError()
  note(error, mysqlErrors)
  return error
}

class NamedLockError extends Error {
  readonly code = 'ER_LOCK_WAIT_TIMEOUT'
}
