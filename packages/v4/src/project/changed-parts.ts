// Finds out what a change of a part of a plugin or a type means for requests: whether attributes may be hidden by it,
// and whether it decides about everybody's access.

import type { Chain } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import type { Value } from '../syntax/values.ts'

/** The policy of a plugin that Plinth has too: the caller must be a user. */
export const userPolicy = 'plugin::users-permissions.isAuthenticated'

/** Returns whether a write to a schema may make attributes private: what could not be read may. */
export function mayHide({ steps, assigned }: Chain, module: SourceModule): boolean {
  if (steps.some(({ name }) => name === 'lifecycles' || name === 'pluginOptions')) return false
  if (assigned === null) return true
  const value = module.evaluate(assigned)
  if (steps.at(-1)?.name === 'private') return value.kind !== 'literal' || value.value === true
  return hides(value)
}

function hides(value: Value): boolean {
  if (value.kind === 'literal') return false
  if (value.kind === 'list') return !value.isWhole || value.items.some(hides)
  if (value.kind !== 'object' || !value.isWhole) return true
  return [...value.members].some(([name, one]) =>
    name === 'private' ? one.kind !== 'literal' || one.value === true : hides(one),
  )
}

/** Returns whether a service of a plugin decides who a caller is, and so what all requests are answered (B-6.1). */
export const keepsTokens = (plugin: string | null, service: string | null): boolean =>
  (plugin === null || plugin === 'users-permissions') &&
  (service === null || /^(?:jwt|user|permission|role)$/.test(service))
