// v4's environment variables of the database, `DATABASE_*`, for settings that the file lacks. An empty one is not set.

import { StartError } from '../errors.ts'

/** The value of a variable; undefined if it is not set. */
export function variable(name: string): string | undefined {
  const value = process.env[name]
  return value === '' ? undefined : value
}

/** The connection settings of the environment. Throws StartError for values that cannot be meant. */
export function serverVariables(client: 'mysql' | 'postgres'): Record<string, unknown> {
  const isSecure = flag('DATABASE_SSL') ?? false
  const isVerified = flag('DATABASE_SSL_REJECT_UNAUTHORIZED') ?? true
  const values = {
    host: variable('DATABASE_HOST') ?? '127.0.0.1',
    port: port() ?? (client === 'mysql' ? 3306 : 5432),
    database: variable('DATABASE_NAME'),
    user: variable('DATABASE_USERNAME'),
    // An empty password is one.
    password: process.env.DATABASE_PASSWORD,
    ssl: isSecure ? { rejectUnauthorized: isVerified } : undefined,
    schema: client === 'postgres' ? variable('DATABASE_SCHEMA') : undefined,
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function port(): number | undefined {
  const value = variable('DATABASE_PORT')
  if (value === undefined) return undefined
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 1 || number > 65_535)
    throw refusal('DATABASE_PORT', value, 'a number from 1 to 65535')
  return number
}

/** v4 takes any value but `true` for false, so that `1` would turn encryption off. */
function flag(name: string): boolean | undefined {
  const value = variable(name)
  if (value === undefined) return undefined
  if (value !== 'true' && value !== 'false') throw refusal(name, value, 'true or false')
  return value === 'true'
}

function refusal(name: string, value: string, expected: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `${name} must be ${expected}, found ${JSON.stringify(value)}`)
}
