// Checks the values of `config/database` whose keys are known. A value that is taken for its default, or that a driver
// refuses with words of its own, would be found late.

import { StartError } from '../errors.ts'
import { knownWords } from '../registration/registrar.ts'
import type { DatabaseConfig } from './config.ts'

/** Throws StartError for a value that its key cannot have. */
export function checkDatabaseValues(given: DatabaseConfig): void {
  const { pool, synchronous, rememberTotals, connection } = given
  for (const name of ['acquireTimeout', 'acquireConnectionTimeout'] as const)
    requireWhole(name, given[name], 'a whole number of milliseconds')
  requireWhole('pool.min', pool?.min, 'a whole number of connections')
  requireWhole('pool.max', pool?.max, 'a whole number of connections, at least 1', 1)
  if (pool?.min !== undefined && pool.min > (pool.max ?? 10))
    throw refusal('pool.min', `must be at most pool.max, which is ${pool.max ?? 10}`)
  if (synchronous !== undefined && synchronous !== 'normal' && synchronous !== 'full')
    throw refusal(
      'synchronous',
      `"${String(synchronous)}" is not known${knownWords(String(synchronous), ['normal', 'full'])}`,
    )
  if (rememberTotals !== undefined && typeof rememberTotals !== 'boolean')
    throw refusal('rememberTotals', `must be true or false, found ${JSON.stringify(rememberTotals)}`)
  const port: unknown = connection?.port
  if (port !== undefined && port !== null && !isPort(port))
    throw refusal('connection.port', `must be a number from 1 to 65535, found ${String(JSON.stringify(port))}`)
}

/** Drivers take texts of digits, too. */
function isPort(port: unknown): boolean {
  const number = typeof port === 'string' && /^\d+$/.test(port) ? Number(port) : port
  return Number.isInteger(number) && (number as number) >= 1 && (number as number) <= 65_535
}

function requireWhole(name: string, value: unknown, expected: string, least = 0): void {
  if (value === undefined || (Number.isInteger(value) && (value as number) >= least)) return
  throw refusal(name, `must be ${expected}, found ${typeof value === 'number' ? value : JSON.stringify(value)}`)
}

function refusal(path: string, fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/database: ${path} ${fault}`)
}
