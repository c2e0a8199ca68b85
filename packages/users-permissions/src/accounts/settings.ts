// Settings that v4's admin panel left in the database, and v4's advanced settings (B-6.52): those of config/plugins, else
// the stored ones, else v4's defaults. They are read once, at the start.

import { type Kernel, suggestion } from '@plinth/kernel'
import type { Role } from '../roles/role.ts'
import type { AccountConfig } from './config.ts'

/** The settings of registration and confirmation. */
export interface AdvancedSettings {
  readonly allowsRegistration: boolean
  readonly needsConfirmation: boolean
  /** The page of the front end on which a password is reset; mails link to it. */
  readonly resetPage: string | null
  /** The page to which a confirmation leads. */
  readonly confirmedPage: string
  /** The type of the role of users who register. */
  readonly defaultRole: string
}

/** v4's table of settings, by key. */
const table = 'strapi_core_store_settings'
const keys = {
  advanced: 'plugin_users-permissions_advanced',
  email: 'plugin_users-permissions_email',
  grant: 'plugin_users-permissions_grant',
} as const

/** The settings that v4 stored under a key; {} if there are none, or if they are not a JSON object. */
export async function readStored(kernel: Kernel, key: keyof typeof keys): Promise<Record<string, unknown>> {
  const { knex } = kernel
  if (!(await knex.schema.hasTable(table))) return {}
  const row = await knex(table).where('key', keys[key]).first('value')
  try {
    const stored = JSON.parse(String(row?.value ?? '{}')) as unknown
    return stored !== null && typeof stored === 'object' ? (stored as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Warns of a role that does not exist: until it does, nobody can register. */
export function checkDefaultRole(type: string | undefined, roles: readonly Role[], log: Kernel['log']): void {
  const types = roles.map(one => one.type)
  if (type !== undefined && !types.includes(type))
    log.warn(
      `config/plugins: users-permissions.config.advanced.default_role: there is no role "${type}"${suggestion(type, types)}; nobody can register`,
    )
}

/** The settings that hold. `stored` are those of the database. */
export function resolveAdvanced(
  config: AccountConfig['advanced'],
  stored: Readonly<Record<string, unknown>>,
): AdvancedSettings {
  const flag = (name: 'allow_register' | 'email_confirmation', fallback: boolean) =>
    config[name] ?? (typeof stored[name] === 'boolean' ? stored[name] : fallback)
  const page = (name: 'email_reset_password' | 'email_confirmation_redirection') =>
    config[name] === undefined ? pageOf(stored[name]) : config[name]
  return {
    allowsRegistration: flag('allow_register', true),
    needsConfirmation: flag('email_confirmation', false),
    resetPage: page('email_reset_password'),
    confirmedPage: page('email_confirmation_redirection') ?? '/',
    defaultRole:
      config.default_role ?? (typeof stored.default_role === 'string' ? stored.default_role : 'authenticated'),
  }
}

/** A stored address; null for what could not stand in a header (security.md row 22). */
function pageOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && !/[\s\x00-\x1f\x7f]/.test(value) ? value : null
}
