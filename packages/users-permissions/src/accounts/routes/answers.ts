// The user in answers: what the caller may see of it, and never what only the plugin may see (B-6.20).

import type { Context, Entry, FindOneOptions } from '@plinth/kernel'
import { noRules, withoutRows } from '../../rules/rule.ts'
import type { AccountTools } from '../tools.ts'
import { userUid } from '../user-type.ts'
import type { Account } from '../users.ts'

/**
 * The context with one more right on users, to which the rules of the caller apply: `withRights` of the kernel would free
 * it of them.
 */
export function allowing(context: Context, scope: string): Context {
  const { access } = context
  if (access.can(scope)) return context
  const can = (one: string) => one === scope || access.can(one)
  return { ...context, access: { ...access, key: `${access.key} allowing ${scope}`, can } }
}

/**
 * The context with the right to see this one user. Rules about which users the caller may find do not apply to it; what
 * they hide of users is hidden.
 */
export function showing({ kernel }: Pick<AccountTools, 'kernel'>, context: Context): Context {
  const allowed = allowing(context, kernel.actions.of(userUid, 'findOne'))
  const { access } = allowed
  const { roleRules = noRules } = access
  const own = { ...access, key: `${access.key} showing ${userUid}`, roleRules: withoutRows(roleRules, userUid) }
  return { ...context, access: own }
}

/** The user as it is answered to someone who may see this user, whoever else they may see. */
export function presentUser(
  tools: AccountTools,
  id: number,
  context: Context,
  options: FindOneOptions = {},
): Promise<Entry | null> {
  return tools.kernel.query(userUid, showing(tools, context)).findOne(id, options)
}

/**
 * The context of a request with the rights of a user: whoever has just proved to be this user sees what the role of the
 * user may see, although the request came without a token. Null if there is no such user.
 */
export async function contextOfUser(
  { accessOf }: Pick<AccountTools, 'accessOf'>,
  id: number,
  context: Context,
): Promise<Context | null> {
  const access = await accessOf(id)
  return access === null ? null : { ...context, access }
}

/** The user as this user sees it. */
export async function presentOwn(tools: AccountTools, id: number, context: Context): Promise<Entry | null> {
  const own = await contextOfUser(tools, id, context)
  return own === null ? null : presentUser(tools, id, own)
}

/** The answer to who has proved to be a user. */
export interface LoginAnswer {
  /** Absent if no request with it would be accepted. */
  readonly jwt?: string
  readonly user: Entry | null
}

/**
 * The answer to a login: the user, and a token, unless the user is blocked or has yet to confirm the address, as after a
 * registration (B-6.7, B-6.21).
 */
export async function loginAnswer(
  tools: AccountTools,
  { id, validFrom, blocked, confirmed }: Pick<Account, 'id' | 'validFrom' | 'blocked' | 'confirmed'>,
  context: Context,
): Promise<LoginAnswer> {
  const user = await presentOwn(tools, id, context)
  if (blocked || (tools.advanced.needsConfirmation && !confirmed)) return { user }
  return { jwt: tools.tokens.issue(id, validFrom), user }
}
