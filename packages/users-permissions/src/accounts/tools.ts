// Declares the parts of the plugin that the routes of accounts use.

import type { Access, Context, Kernel } from '@plinth/kernel'
import type { AccountConfig } from './config.ts'
import type { Mailer } from './mailer.ts'
import type { Outbox } from './outbox.ts'
import type { Passwords } from './passwords.ts'
import type { Providers } from './providers/index.ts'
import type { AdvancedSettings } from './settings.ts'
import type { Tokens } from './tokens.ts'
import type { Users } from './users.ts'

/** The parts of accounts that routes use. */
export interface AccountTools {
  readonly kernel: Kernel
  readonly config: AccountConfig
  readonly users: Users
  /** The rights that a user has at present, as a token of this user gives them; null if there is no such user. */
  readonly accessOf: (id: number) => Promise<Access | null>
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly outbox: Outbox
  readonly mailer: Mailer
  readonly advanced: AdvancedSettings
  /** True if two users cannot have the same address. */
  readonly isEmailUnique: boolean
  /** Logins by third parties; null if none is enabled. */
  readonly providers: Providers | null
  /** The address under which the server is reached, without a slash at its end. */
  readonly serverUrl: string
  /** The path of all routes of the API, such as `/api`. */
  readonly prefix: string
}

/** The actions of the routes that belong to no content type (B-6.2). */
export const authActions = [
  'callback',
  'connect',
  'register',
  'forgotPassword',
  'resetPassword',
  'changePassword',
  'emailConfirmation',
  'sendEmailConfirmation',
] as const

export type AuthAction = (typeof authActions)[number]

export const authAction = (name: AuthAction): string => `plugin::users-permissions.auth.${name}`

/** The id of the caller who authenticated as a user; null for others, such as API tokens. */
export function callerId({ access }: Context): number | null {
  const { id } = (access.user ?? {}) as { readonly id?: unknown }
  return typeof id === 'number' ? id : null
}
