// The paths of the routes of accounts that other transports offer too, and what a use of one of them counts for.

import type { Context } from '@plinth/kernel'
import { accountOf, type Use } from '../limits.ts'
import { type AccountTools, type AuthAction, callerId } from '../tools.ts'

/** The paths below the prefix of all routes, by their actions. */
export const authPaths = {
  callback: 'auth/local',
  register: 'auth/local/register',
  forgotPassword: 'auth/forgot-password',
  resetPassword: 'auth/reset-password',
  changePassword: 'auth/change-password',
  sendEmailConfirmation: 'auth/send-email-confirmation',
  emailConfirmation: 'auth/email-confirmation',
} as const satisfies { readonly [Name in AuthAction]?: string }

/** The field of a body in which a route finds the account. */
const accountField = (name: AuthAction) => (name === 'callback' ? 'identifier' : 'email')

/** What a request of an action counts for: the account that its body names, or the caller. */
export function useOf(
  { prefix }: Pick<AccountTools, 'prefix'>,
  about: { readonly name: AuthAction; readonly path: string; readonly body: unknown; readonly context: Context },
): Use {
  const account = accountOf(about.body, accountField(about.name)) || String(callerId(about.context) ?? '')
  return { route: `${prefix}/${about.path}`, account }
}
