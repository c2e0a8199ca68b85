// Finds what a start in production would refuse of an application that is made from a v4 project: its secrets, and
// variables that its settings read. Knows texts only.

import { bareOf, type Expression, exportedValue, memberOf } from '@plinth/v4/syntax'
import { minSecret, secretFaults } from '../production.ts'
import { variablesIn } from './variables.ts'

/** The input of the lines. */
export interface ProductionSource {
  /** The variables of `.env` of the application. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** config/plugins of v4; null if there is none. */
  readonly plugins: string | null
  /** The names of plugins. */
  readonly enabled: readonly string[]
  /** The files of settings that the application has. */
  readonly files: Readonly<Record<string, string>>
  /** True if mails have a provider. */
  readonly sendsMails: boolean
}

/** Throws SyntaxError. */
export function productionFaults({ variables, plugins, enabled, files, sendsMails }: ProductionSource): string[] {
  const hasUsers = enabled.includes('users-permissions')
  return [
    ...(hasUsers
      ? secretFaults({ ...jwtSecret(plugins, variables), minLength: minSecret, ends: 'everybody has to log in again' })
      : []),
    ...secretFaults({
      name: 'API_TOKEN_SALT',
      value: variables.API_TOKEN_SALT,
      ends: 'the API tokens of v4 are invalid',
    }),
    ...Object.entries(files).flatMap(([path, text]) => variableFaults(path, text, variables)),
    ...(hasUsers && !sendsMails
      ? ['mails have no provider, so that a start in production sends none, and users cannot reset their passwords']
      : []),
  ]
}

/** Variables that a file reads, and that would be missing or no number. */
function variableFaults(path: string, text: string, variables: ProductionSource['variables']): string[] {
  if (!/\.[cm]?[jt]s$/.test(path)) return []
  const faults = variablesIn(text).flatMap(({ name, kind, hasFallback }) => {
    const value = variables[name]
    if (value === undefined)
      return hasFallback || isOptional(name) ? [] : [`${path} reads ${name}, which .env does not have`]
    if ((kind === 'int' || kind === 'float') && Number.isNaN(Number.parseFloat(value)))
      return [`${path} reads ${name} as a number, and .env has "${value}": every start is refused`]
    return []
  })
  return [...new Set(faults)]
}

/** Variables that only v4 needs, and those for which there is a default. */
const isOptional = (name: string) =>
  /^(?:APP_KEYS|ADMIN_JWT_SECRET|TRANSFER_TOKEN_SALT|HOST|PORT|NODE_ENV|JWT_SECRET|API_TOKEN_SALT)$/.test(name)

/** The secret of tokens: of config/plugins, else JWT_SECRET. */
function jwtSecret(plugins: string | null, variables: ProductionSource['variables']) {
  const config = memberOf(
    memberOf(plugins === null ? null : exportedValue(plugins), 'users-permissions') ?? null,
    'config',
  )
  const node = memberOf(config ?? null, 'jwtSecret')
  const secretValue = node === undefined ? null : valueIn(node, variables)
  if (secretValue === null) return { name: 'JWT_SECRET', value: variables.JWT_SECRET }
  return {
    name: secretValue.variable ?? 'jwtSecret of config/plugins',
    value: secretValue.value ?? variables.JWT_SECRET,
  }
}

/** The text that an expression stands for: a text, `env('X', 'y')` or `process.env.X`; null for anything else. */
export function valueIn(
  expression: Expression,
  variables: ProductionSource['variables'],
): { readonly variable: string | null; readonly value: string | undefined } | null {
  const node = bareOf(expression)
  if (node.type === 'StringLiteral') return { variable: null, value: node.value }
  if (node.type === 'LogicalExpression') {
    const left = valueIn(node.left as Expression, variables)
    return left?.value ? left : valueIn(node.right as Expression, variables)
  }
  if (node.type === 'MemberExpression' && node.property.type === 'Identifier' && !node.computed)
    return isProcessEnv(node.object as Expression)
      ? { variable: node.property.name, value: variables[node.property.name] }
      : null
  if (node.type !== 'CallExpression') return null
  const [name, fallback] = node.arguments
  if (name?.type !== 'StringLiteral') return null
  const text = fallback?.type === 'StringLiteral' ? fallback.value : undefined
  return { variable: name.value, value: variables[name.value] ?? text }
}

function isProcessEnv(node: Expression): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'process' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'env'
  )
}
