// Checks the values of `config/database` whose keys are known. A value that is taken for its default, or that a driver
// refuses with words of its own, would be found late.

import { Value } from '#typebox'
import { StartError } from '../errors.ts'
import { knownWords } from '../registration/registrar.ts'
import type { DatabaseConfig } from './database-config.ts'
import type { ConnectionSchema } from './definition.ts'

/** Throws StartError for a value that its key cannot have. `properties` are those of `connection`. */
export function checkDatabaseValues(config: DatabaseConfig, { properties }: ConnectionSchema): void {
  const { pool, synchronous, connection } = config
  for (const name of ['acquireTimeout', 'acquireConnectionTimeout'] as const)
    requireWhole(name, config[name], 'a whole number of milliseconds')
  requireWhole('pool.min', pool?.min, 'a whole number of connections')
  requireWhole('pool.max', pool?.max, 'a whole number of connections, at least 1', 1)
  if (pool?.min !== undefined && pool.min > (pool.max ?? 10))
    throw refusal('pool.min', `must be at most pool.max, which is ${pool.max ?? 10}`)
  if (synchronous !== undefined && synchronous !== 'normal' && synchronous !== 'full')
    throw refusal(
      'synchronous',
      `"${String(synchronous)}" is not known${knownWords(String(synchronous), ['normal', 'full'])}`,
    )
  for (const name of ['rememberTotals', 'consistentReads', 'preparedStatements'] as const) {
    const value: unknown = config[name]
    if (value !== undefined && typeof value !== 'boolean')
      throw refusal(name, `must be true or false, found ${JSON.stringify(value)}`)
  }
  for (const [name, schema] of Object.entries(properties)) {
    const value = connection?.[name]
    if (value === undefined || value === null || Value.Check(schema, value)) continue
    throw refusal(
      `connection.${name}`,
      `must be ${schema.description ?? 'another value'}, found ${String(JSON.stringify(value))}`,
    )
  }
}

function requireWhole(name: string, value: unknown, expected: string, least = 0): void {
  if (value === undefined || (Number.isInteger(value) && (value as number) >= least)) return
  throw refusal(name, `must be ${expected}, found ${typeof value === 'number' ? value : JSON.stringify(value)}`)
}

function refusal(path: string, fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/database: ${path} ${fault}`)
}
