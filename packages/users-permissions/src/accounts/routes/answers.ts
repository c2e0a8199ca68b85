// The user in answers: what the caller may see of it, and never what only the plugin may see (B-6.20).

import type { Context, Entry, FindOneOptions } from '@plinth/kernel'
import type { RoleAccess } from '../../rules/gate.ts'
import { noRules, withoutRows } from '../../rules/rule.ts'
import type { AccountTools } from '../tools.ts'
import { userUid } from '../user-type.ts'

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
  const { rules = noRules } = access as Partial<RoleAccess>
  const own = { ...access, key: `${access.key} showing ${userUid}`, rules: withoutRows(rules, userUid) }
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

/** The answer to a login: a token, and the user. */
export async function loginAnswer(
  tools: AccountTools,
  user: { readonly id: number; readonly validFrom: number | null },
  context: Context,
): Promise<{ readonly jwt: string; readonly user: Entry | null }> {
  const shown = await presentUser(tools, user.id, context)
  return { jwt: tools.tokens.issue(user.id, user.validFrom), user: shown }
}
