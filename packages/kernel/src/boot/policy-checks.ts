// Checks policies, and the items of lists that name them, at run time: their files are often written without types.

import { checkFunction, checkWords, shown, type Words } from '../registration/checks.ts'
import type { Refuse } from '../registration/registrar.ts'

const useWords: Words<{ name: unknown; config: unknown }> = { name: 'needed', config: 'optional' }
const policyWords: Words<{ handler: unknown; validator: unknown; name: unknown }> = {
  handler: 'needed',
  validator: 'optional',
  name: 'optional',
}

/** Refuses an item that is not a name, `{ name, config }`, or a function. */
export function checkPolicyUse(path: string, use: unknown, refuse: Refuse): void {
  if (typeof use === 'function' || (typeof use === 'string' && use !== '')) return
  const fail: Refuse = (fault, code) => refuse(`${path}: ${fault}`, code)
  if (use === null || typeof use !== 'object')
    fail(`must be a name, { name, config } or a function, found ${shown(use)}`)
  checkWords(use, useWords, fail)
  const { name } = use as { readonly name: unknown }
  if (typeof name !== 'string' || name === '') fail(`name must be the name of a policy, found ${shown(name)}`)
}

/** Refuses what is neither a function nor `{ validator, handler }` (B-13.45). */
export function checkPolicy(policy: unknown, refuse: Refuse): void {
  if (typeof policy === 'function') return
  if (policy === null || typeof policy !== 'object') refuse(`must be a function or { handler }, found ${shown(policy)}`)
  checkWords(policy, policyWords, refuse)
  const { handler, validator } = policy as { readonly handler: unknown; readonly validator: unknown }
  checkFunction('handler', handler, refuse)
  checkFunction('validator', validator, refuse)
}
