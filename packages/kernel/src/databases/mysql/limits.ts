// Limits of time of a MySQL or MariaDB connection, as statements that both understand: each server takes what stands in
// comments for its own. MySQL limits SELECT alone, and no idle transactions; locks are waited for whole seconds.

import type { Limits } from '../../database/driver.ts'

/** In milliseconds; 0 leaves a limit to the server. */
export interface Times {
  readonly statementTimeout: number
  readonly lockTimeout: number
  readonly idleTransactionTimeout: number
}

/** A migration waits so long for a table or for another process's migration, in seconds. */
const migrationPatience = 600

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

/** The values of the server's variables, as SQL; null leaves a variable as it is. */
interface Values {
  readonly maxStatementTime: string | null
  readonly maxExecutionTime: string | null
  readonly idleTransactionTimeout: string | null
  readonly lockWait: string | null
}

/** Each with a comma behind it, so that what a server skips leaves no comma alone. */
function assignments({ maxStatementTime, maxExecutionTime, idleTransactionTimeout, lockWait }: Values): string {
  const texts: string[] = []
  if (maxStatementTime !== null) texts.push(`/*M! max_statement_time = ${maxStatementTime}, */`)
  if (maxExecutionTime !== null) texts.push(`/*!80000 max_execution_time = ${maxExecutionTime}, */`)
  if (idleTransactionTimeout !== null) texts.push(`/*M!100300 idle_transaction_timeout = ${idleTransactionTimeout}, */`)
  if (lockWait !== null) texts.push(`innodb_lock_wait_timeout = ${lockWait}, lock_wait_timeout = ${lockWait},`)
  return texts.join(' ')
}

/** What a new connection is told, besides `last`, an assignment. */
export function setTimes(times: Times, last: string): string {
  return `SET SESSION ${assignments(valuesOf(times, null))} ${last}`
}

/** Takes the limits away for a while; afterwards what the configuration leaves to the server is the server's again. */
export function liftTimes(times: Times): Limits {
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
