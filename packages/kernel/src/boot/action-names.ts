// The names of actions, the patterns that stand for several of them, and the checks of what is set for one.

import { checkWords, shown, type Words } from '../registration/checks.ts'
import type { Refuse } from '../registration/registrar.ts'
import type { ActionRules } from './actions.ts'
import { checkPolicyUse } from './policy-checks.ts'

/** Refuses rules of an action that could not be obeyed. */
export function checkActionRules(rules: ActionRules, refuse: Refuse): void {
  checkWords<Required<ActionRules>>(rules, { auth: 'optional', policies: 'optional' }, refuse)
  const { auth, policies } = rules as { readonly auth?: unknown; readonly policies?: unknown }
  if (auth !== undefined && auth !== false) checkScope(auth, refuse)
  if (policies === undefined) return
  if (!Array.isArray(policies)) refuse(`policies must be a list, found ${shown(policies)}`)
  for (const [i, use] of (policies as unknown[]).entries()) checkPolicyUse(`policies.${i}`, use, refuse)
}

const scopeWords: Words<{ scope: unknown }> = { scope: 'needed' }

/** An empty scope would open the action to everybody, which `false` says. */
function checkScope(auth: unknown, refuse: Refuse): void {
  if (auth === null || typeof auth !== 'object') refuse(`auth must be false or { scope: […] }, found ${shown(auth)}`)
  checkWords(auth, scopeWords, refuse)
  const { scope } = auth as { readonly scope: unknown }
  const isList = Array.isArray(scope) && scope.length > 0 && scope.every(one => typeof one === 'string')
  if (!isList) refuse(`auth.scope must be a list with at least one action, found ${shown(scope)}`)
}

/**
 * The text before the `*` of a pattern; null if it is not a pattern. A `*` elsewhere is a part of a name that no action
 * has.
 */
export function prefixOf(pattern: string): string | null {
  return /^(?:[\w-]+::(?:[\w-]+\.)*)?\*$/.test(pattern) ? pattern.slice(0, -1) : null
}

/** All patterns that mean some of these actions. */
export function wildcardsOf(names: readonly string[]): string[] {
  const prefixes = names.flatMap(name =>
    [...name.matchAll(/::|\./g)].map(one => name.slice(0, one.index + one[0].length)),
  )
  return [...new Set(prefixes)].map(prefix => `${prefix}*`)
}
