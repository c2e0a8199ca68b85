// The variables of a v4 project that a Plinth application needs, as lines of `.env`.

import { randomBytes } from 'node:crypto'
import { exportedValue, memberOf } from '@plinth/v4/syntax'
import { quoted, variablesOf } from './env-text.ts'
import { valueIn } from './production.ts'

/** Variables that only v4 reads, unless a file that is kept names them. */
const onlyV4 = ['APP_KEYS', 'ADMIN_JWT_SECRET', 'TRANSFER_TOKEN_SALT', 'STRAPI_LICENSE', 'STRAPI_TELEMETRY_DISABLED']

/** Variables whose values are not secrets. */
const open = ['HOST', 'PORT', 'DATABASE_CLIENT', 'DATABASE_HOST', 'DATABASE_PORT', 'DATABASE_FILENAME']

export interface EnvironmentSource {
  /** `.env` of the project; empty if there is none. */
  readonly env: string
  /** config/admin; null if there is none. */
  readonly admin: string | null
  /** config/plugins; null if there is none. */
  readonly plugins: string | null
  /** The plugins of the application. */
  readonly enabled: readonly string[]
  /** The files of the configuration that are kept. */
  readonly configText: string
}

/** `.env`, its example, and what somebody has to know of them. */
export function translateEnvironment({ env, admin, plugins, configText, enabled }: EnvironmentSource) {
  const variables: NodeJS.Dict<string> = variablesOf(env)
  const left: string[] = []
  for (const name of onlyV4)
    if (name in variables && !configText.includes(name)) {
      delete variables[name]
      left.push(
        `.env: ${name} is left out: it is of v4's administration panel or of its sessions, which Plinth does not have`,
      )
    }
  const salt = admin === null ? undefined : saltIn(admin, variables)
  if (salt !== undefined) variables.API_TOKEN_SALT = salt
  const hasUsers = enabled.includes('users-permissions') && !hasOwnSecret(plugins, variables)
  for (const name of ['API_TOKEN_SALT', ...(hasUsers ? ['JWT_SECRET'] : [])])
    if (!variables[name]) {
      variables[name] = randomBytes(32).toString('base64url')
      left.push(
        `.env: ${name} was not found, and is a new one: write that of v4 there, or ${name === 'JWT_SECRET' ? 'everybody has to log in again' : 'the tokens of v4 are invalid'}`,
      )
    }
  const lines = (value: (name: string) => string) =>
    Object.keys(variables)
      .map(name => `${name}=${value(name)}\n`)
      .join('')
  return {
    env: lines(name => quoted(variables[name] ?? '')),
    example: lines(name => (open.includes(name) ? quoted(variables[name] ?? '') : '')),
    left,
    variables,
  }
}

/** The salt of tokens in config/admin: a text, or the value of the variable that it reads. */
function saltIn(admin: string, variables: NodeJS.Dict<string>): string | undefined {
  const node = memberOf(memberOf(exportedValue(admin), 'apiToken') ?? null, 'salt')
  return node === undefined ? undefined : (valueIn(node, variables)?.value ?? undefined)
}

/**
 * Returns whether config/plugins has the secret of tokens itself, or reads it from another variable than JWT_SECRET.
 */
function hasOwnSecret(plugins: string | null, variables: NodeJS.Dict<string>): boolean {
  const users = memberOf(plugins === null ? null : exportedValue(plugins), 'users-permissions')
  const secret = memberOf(memberOf(users ?? null, 'config') ?? null, 'jwtSecret')
  const secretValue = secret === undefined ? null : valueIn(secret, variables)
  if (secretValue === null) return false
  return secretValue.value !== undefined || (secretValue.variable !== null && secretValue.variable !== 'JWT_SECRET')
}
