// The user in answers: what the caller may see of it, and never what only the plugin may see (B-6.20).

import type { Context, Entry, FindOneOptions } from '@plinth/kernel'
import type { AccountTools } from '../tools.ts'
import { userUid } from '../user-type.ts'

/**
 * The context with the right to see this one user. Rules about whom the caller may find do not apply to it, so the right
 * counts as added even if the caller has it (`withRights` would leave it as it is).
 */
function showing({ kernel }: AccountTools, context: Context): Context {
  const { access } = context
  const findOne = kernel.actions.of(userUid, 'findOne')
  const can = (scope: string) => scope === findOne || access.can(scope)
  const own = { ...access, key: `${access.key} showing ${userUid}`, can, added: [...(access.added ?? []), findOne] }
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
