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

/** The field of a body in which a route finds the account. Those that are not here do not look for one. */
const accountFields: { readonly [Name in AuthAction]?: 'identifier' | 'email' } = {
  callback: 'identifier',
  register: 'email',
  forgotPassword: 'email',
  sendEmailConfirmation: 'email',
}

/** What a request of an action counts for: the account that its body names, or the caller. */
export function useOf(
  { prefix }: Pick<AccountTools, 'prefix'>,
  about: { readonly name: AuthAction; readonly path: string; readonly body: unknown; readonly context: Context },
): Use {
  const field = accountFields[about.name]
  const named = field === undefined ? '' : accountOf(about.body, field)
  return { route: `${prefix}/${about.path}`, account: named || ofCaller(about.context) }
}

/** In a form that no name has that a body can contain: it is not trimmed. */
function ofCaller(context: Context): string {
  const id = callerId(context)
  return id === null ? '' : ` user ${id}`
}
