// v4's environment variables of a server, `DATABASE_*`, for settings that the file lacks.

import { StartError, variable } from '@plinth/kernel/database'

/** The defaults of one kind of server. */
export interface ServerEnvironment {
  /** The port without DATABASE_PORT. */
  readonly port: number
  /** True if connections can name a schema (DATABASE_SCHEMA). */
  readonly hasSchema: boolean
}

/** The connection settings of the environment, for servers. Throws StartError for values that cannot be meant. */
export function serverVariables({ port, hasSchema }: ServerEnvironment): Readonly<Record<string, unknown>> {
  const isSecure = flag('DATABASE_SSL') ?? false
  const isVerified = flag('DATABASE_SSL_REJECT_UNAUTHORIZED') ?? true
  const values = {
    host: variable('DATABASE_HOST') ?? '127.0.0.1',
    port: portVariable() ?? port,
    database: variable('DATABASE_NAME'),
    user: variable('DATABASE_USERNAME'),
    // An empty password is one.
    password: process.env.DATABASE_PASSWORD,
    ssl: isSecure ? { rejectUnauthorized: isVerified } : undefined,
    schema: hasSchema ? variable('DATABASE_SCHEMA') : undefined,
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function portVariable(): number | undefined {
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
