// Field rules on writes: what a caller may not write, it may not send. What lifecycles and plugins add to the data does
// not count as sent.

import { ForbiddenError, type Write } from '@plinth/kernel'
import { type Actions, type RoleAccess, ruleOf } from './gate.ts'

/** Throws ForbiddenError if the caller sent an attribute that a rule forbids. Nothing is written then. */
export function checkSent({ type, action, sent, context }: Write, actions: Actions): void {
  const { access } = context
  const { rules } = access as Partial<RoleAccess>
  if (rules === undefined || rules.size === 0) return
  const rule = ruleOf({ type, access, rules, actions }, action)
  if (rule?.hidden.some(name => sent.has(name))) throw new ForbiddenError()
}
