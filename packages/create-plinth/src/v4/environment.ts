// The variables of a v4 project that a Plinth application needs, as lines of `.env`.

import { randomBytes } from 'node:crypto'
import { parseEnv } from 'node:util'
import { type Expression, exportedValue, memberOf } from '@plinth/v4/syntax'

/** Variables that only v4 reads, unless a file that is kept names them. */
const onlyV4 = ['APP_KEYS', 'ADMIN_JWT_SECRET', 'TRANSFER_TOKEN_SALT', 'STRAPI_LICENSE', 'STRAPI_TELEMETRY_DISABLED']

/** Variables whose values are no secrets. */
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
  readonly kept: string
}

/** `.env`, its example, and what somebody has to know of them. */
export function translateEnvironment({ env, admin, plugins, kept, enabled }: EnvironmentSource) {
  const variables = parseEnv(env)
  const left: string[] = []
  for (const name of onlyV4)
    if (name in variables && !kept.includes(name)) {
      delete variables[name]
      left.push(
        `.env: ${name} is left out: it is of v4's administration panel or of its sessions, which Plinth does not have`,
      )
    }
  const salt = admin === null ? undefined : saltIn(admin, variables)
  if (salt !== undefined) variables.API_TOKEN_SALT = salt
  const hasUsers = enabled.includes('users-permissions') && !hasOwnSecret(plugins)
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
  }
}

/** The salt of tokens in config/admin: a text, or the value of the variable that it reads. */
function saltIn(admin: string, variables: NodeJS.Dict<string>): string | undefined {
  const node: Expression | undefined = memberOf(memberOf(exportedValue(admin), 'apiToken') ?? null, 'salt')
  if (node?.type === 'StringLiteral') return node.value
  if (node?.type !== 'CallExpression') return undefined
  const [name, fallback] = node.arguments
  const value = name?.type === 'StringLiteral' ? variables[name.value] : undefined
  return value ?? (fallback?.type === 'StringLiteral' ? fallback.value : undefined)
}

/** Whether config/plugins has the secret of tokens itself, or reads it from another variable than JWT_SECRET. */
function hasOwnSecret(plugins: string | null): boolean {
  const config = memberOf(
    memberOf(plugins === null ? null : exportedValue(plugins), 'users-permissions') ?? null,
    'config',
  )
  const secret = memberOf(config ?? null, 'jwtSecret')
  if (secret?.type !== 'CallExpression') return secret?.type === 'StringLiteral'
  const [name, fallback] = secret.arguments
  return fallback?.type === 'StringLiteral' || (name?.type === 'StringLiteral' && name.value !== 'JWT_SECRET')
}

/** A value as `.env` has it. */
function quoted(value: string): string {
  if (/^[\w./:@,=+-]*$/.test(value)) return value
  const quote = ["'", '"', '`'].find(one => !value.includes(one))
  return quote === undefined ? value : `${quote}${value}${quote}`
}
