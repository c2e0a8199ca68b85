// The time limits of a MySQL or MariaDB connection, as statements that both accept: each server reads the parts in its
// own kind of comment. MySQL limits only SELECT, and no idle transactions; the limit for locks is in whole seconds.

import type { Limits } from '@plinth/kernel/database'

/** In milliseconds; 0 keeps the server's limit. */
export interface Times {
  readonly statementTimeout: number
  readonly lockTimeout: number
  readonly idleTransactionTimeout: number
}

/** Seconds that a migration waits for a table or for another process's migration. */
const migrationPatience = 600

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

/** The values of the server's variables, as SQL; null leaves a variable unchanged. */
interface Values {
  readonly maxStatementTime: string | null
  readonly maxExecutionTime: string | null
  readonly idleTransactionTimeout: string | null
  readonly lockWait: string | null
}

/** Each assignment ends in a comma, so that a part that a server skips leaves no stray comma. */
function assignments({ maxStatementTime, maxExecutionTime, idleTransactionTimeout, lockWait }: Values): string {
  const texts: string[] = []
  if (maxStatementTime !== null) texts.push(`/*M! max_statement_time = ${maxStatementTime}, */`)
  if (maxExecutionTime !== null) texts.push(`/*!80000 max_execution_time = ${maxExecutionTime}, */`)
  if (idleTransactionTimeout !== null) texts.push(`/*M!100300 idle_transaction_timeout = ${idleTransactionTimeout}, */`)
  if (lockWait !== null) texts.push(`innodb_lock_wait_timeout = ${lockWait}, lock_wait_timeout = ${lockWait},`)
  return texts.join(' ')
}

/** The first statement of a new connection; `last` is one more assignment. */
export function setTimes(times: Times, last: string): string {
  return `SET SESSION ${assignments(valuesOf(times, null))} ${last}`
}

/**
 * Lifts the limits for a while. When they are restored, limits that the configuration does not set return to the
 * server's values.
 */
export function liftTimes(times: Times): Limits & { readonly restore: string } {
  const none = { maxStatementTime: '0', maxExecutionTime: '0', idleTransactionTimeout: '0' }
  return {
    lift: `SET SESSION ${assignments({ ...none, lockWait: String(migrationPatience) })} sql_notes = DEFAULT`,
    restore: `SET SESSION ${assignments(valuesOf(times, 'DEFAULT'))} sql_notes = DEFAULT`,
  }
}

function valuesOf({ statementTimeout, lockTimeout, idleTransactionTimeout }: Times, none: string | null): Values {
  return {
    maxStatementTime: statementTimeout > 0 ? String(statementTimeout / 1000) : none,
    maxExecutionTime: statementTimeout > 0 ? String(statementTimeout) : none,
    idleTransactionTimeout: idleTransactionTimeout > 0 ? String(seconds(idleTransactionTimeout)) : none,
    lockWait: lockTimeout > 0 ? String(seconds(lockTimeout)) : none,
  }
}
