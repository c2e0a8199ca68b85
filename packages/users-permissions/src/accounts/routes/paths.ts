// The paths of the routes of accounts that other transports offer too, and what a use of one of them counts for.

import type { Context } from '@plinth/kernel'
import { maxNameLength } from '../bodies.ts'
import { type CodeKind, confirmationCode, resetCode, userOf } from '../codes.ts'
import { type AccountCounter, counterOf, type Use } from '../limits.ts'
import { type AccountTools, type AuthAction, callerId } from '../tools.ts'
import type { Users } from '../users.ts'

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
const nameFields: { readonly [Name in AuthAction]?: 'identifier' | 'email' } = {
  callback: 'identifier',
  register: 'email',
  forgotPassword: 'email',
  sendEmailConfirmation: 'email',
}

/** The field with a code, which says whose account is meant. */
const codes: { readonly [Name in AuthAction]?: { readonly field: string; readonly kind: CodeKind } } = {
  resetPassword: { field: 'code', kind: resetCode },
  emailConfirmation: { field: 'confirmation', kind: confirmationCode },
}

/** A request of an action. */
interface AuthRequest {
  readonly name: AuthAction
  readonly path: string
  /** Reads the body, or the parameters of a route without one. */
  readonly sent: () => unknown
  readonly context: Context
}

/**
 * Returns what a request of an action counts for: the account that its body names where the route itself looks, or the
 * caller. Another field would let a request choose for whom it counts.
 */
export function useOf(tools: Pick<AccountTools, 'prefix' | 'users'>, request: AuthRequest): Use {
  return { route: `${tools.prefix}/${request.path}`, findCounters: () => findCounters(tools.users, request) }
}

async function findCounters(users: Users, { name, sent, context }: AuthRequest): Promise<readonly AccountCounter[]> {
  const body = sent()
  const [field, code] = [nameFields[name], codes[name]]
  const accountName = field === undefined ? null : textOf(body, field)
  const counters: AccountCounter[] = []
  // Longer texts are refused before they are compared with anything.
  if (accountName !== null && accountName !== '' && accountName.length <= maxNameLength)
    counters.push(counterOf(accountName))
  const id = code === undefined ? null : userOf(code.kind, textOf(body, code.field))
  // Anybody can invent a code with any id: as a user it would push out users who are counted.
  if (id !== null) return [{ kind: 'name', key: `code ${id}` }]
  const user = counters.length === 0 ? callerId(context) : await users.findId(field!, accountName!)
  if (user !== null) counters.push({ kind: 'user', key: String(user) })
  return counters
}

/** The text that a body has under a name; null if it has none. */
function textOf(body: unknown, field: string): string | null {
  const value = (body as Readonly<Record<string, unknown>> | null | undefined)?.[field]
  return typeof value === 'string' ? value : null
}
