// The plugin users-permissions: accounts and their tokens (src/accounts), roles and what they may do (src/roles, src/rules).
// B-6, security.md B5.

import { type Access, definePlugin, type Kernel } from '@plinth/kernel'
import { remarksOnAdministrators } from './accounts/administrators.ts'
import { userCommands } from './accounts/commands.ts'
import { Accounts } from './accounts/index.ts'
import { checkDefaultRole } from './accounts/settings.ts'
import { secretAttributes } from './accounts/user-type.ts'
import { type Config, configSchema } from './config.ts'
import { extendGraphql } from './graphql/index.ts'
import { type Roles, registerRoles, startRoles } from './roles/index.ts'

// Their declarations in the kernel reach those who import this plugin.
export type {} from './accounts/providers/outgoing.ts'
export type {} from './roles/rest-answers.ts'
export type {} from './rules/gate.ts'

/**
 * Returns the rights of a role at present, by its type or its name, as of a caller with this role who is not a user; null if
 * there is no such role. For plugins that show entries to somebody who sends no request.
 */
type AccessOfRole = (role: string) => Promise<Access | null>

/**
 * Returns the addresses to which logins by each enabled provider may lead, by the name of the provider. For pages that offer
 * these logins; they show only those that lead back to them. Empty before the start.
 */
type LoginTargets = () => ReadonlyMap<string, readonly string[]>

declare module '@plinth/kernel' {
  interface Services {
    readonly 'users-permissions.access': AccessOfRole
    readonly 'users-permissions.loginTargets': LoginTargets
  }
}

const parts = new WeakMap<Kernel, { readonly roles: Roles; readonly accounts: Accounts }>()

/**
 * The accounts of a kernel, for code that waits for mails or issues tokens.
 * @internal
 */
export function accountsOf(kernel: Kernel): Accounts {
  return parts.get(kernel)!.accounts
}

const storeOf = (kernel: Kernel) => parts.get(kernel)!.roles.store

/** The types of the roles that the settings declare. */
const declaredIn = (config: unknown) => Object.keys((config as Config).permissions)

export default definePlugin({
  name: 'users-permissions',
  after: ['graphql', 'passwords', 'email'],
  config: configSchema,
  // Tables of v4 that its content types do not describe.
  tables: ['up_'],
  secretNames: ['jwt'],
  commands: {
    user: userCommands({
      make: ({ kernel, config }) => storeOf(kernel).establish(declaredIn(config)),
      types: ({ kernel, config }) => storeOf(kernel).typesWith(declaredIn(config)),
    }),
  },
  inspect: remarksOnAdministrators,
  register({ kernel, config }) {
    const roles = registerRoles(kernel, config, { secretAttributes })
    const accounts = new Accounts(kernel, config, roles)
    parts.set(kernel, { roles, accounts })
    kernel.services.provide('users-permissions', 'access', name => accessOfRole(roles, name))
    kernel.services.provide('users-permissions', 'loginTargets', () => accounts.loginTargets)
    const graphql = kernel.services.find('graphql', 'extension')
    if (graphql !== null) extendGraphql(graphql, { kernel, roles, mounted: () => accounts.mounted })
  },
  async bootstrap({ kernel, config }) {
    const { roles, accounts } = parts.get(kernel)!
    await startRoles(roles, config)
    // Not by what mounts the routes without a start, which has no roles.
    checkDefaultRole(config.advanced.default_role, roles.all, kernel.log)
    await accounts.start()
  },
  async destroy({ kernel }) {
    await parts.get(kernel)?.accounts.close()
  },
})

async function accessOfRole(roles: Roles, name: string): Promise<Access | null> {
  await roles.refresh()
  const role = roles.all.find(one => one.type === name) ?? roles.all.find(one => one.name === name)
  return role === undefined ? null : roles.accessOf(role, null)
}
