// The permissions of roles that the settings declare. They are not stored: they hold as long as they are declared, and
// what is stored in the tables is permitted in addition.

import { type Kernel, PluginConfigError, StartError, suggestion } from '@plinth/kernel'

/** Actions by the type of the role. */
export type DeclaredActions = ReadonlyMap<string, ReadonlySet<string>>

/** Finds the actions for all names and patterns. Throws PluginConfigError with all that name none. */
export function findDeclared(
  config: Readonly<Record<string, readonly string[]>>,
  actions: Pick<Kernel['actions'], 'match'>,
): DeclaredActions {
  const faults: string[] = []
  const declared = new Map<string, Set<string>>()
  for (const [role, patterns] of Object.entries(config)) {
    const own = new Set<string>()
    for (const [i, pattern] of patterns.entries()) {
      try {
        for (const action of actions.match(pattern)) own.add(action)
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        faults.push(`users-permissions.config.permissions.${role}[${i}]: ${error.message}`)
      }
    }
    declared.set(role, own)
  }
  if (faults.length > 0) throw new PluginConfigError(faults)
  return declared
}

/** Throws PluginConfigError for rules of roles that do not exist: they would never apply. */
export function checkRoleTypes(rules: Readonly<Record<string, unknown>>, roles: readonly { readonly type: string }[]) {
  const types = roles.map(role => role.type)
  const faults = Object.keys(rules)
    .filter(type => !types.includes(type))
    .map(type => `users-permissions.config.rules.${type}: there is no such role${suggestion(type, types)}`)
  if (faults.length > 0) throw new PluginConfigError(faults)
}
