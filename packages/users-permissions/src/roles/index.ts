// Registers roles with the kernel: their content types, actions and routes, the gate and the rules. Knows no accounts,
// which use what is returned here.

import type { Kernel } from '@plinth/kernel'
import { compileRules } from '../rules/compile.ts'
import { RuleFilters } from '../rules/filters.ts'
import { restrictNode } from '../rules/gate.ts'
import { indexCompared } from '../rules/narrow.ts'
import type { RuleConfig } from '../rules/schema.ts'
import { UserPaths } from '../rules/user-paths.ts'
import { RuleValues } from '../rules/values.ts'
import { checkRoleTypes, findDeclared } from './declared.ts'
import { dropUsersOfRoles } from './rest-answers.ts'
import { Roles } from './roles.ts'
import { listPermissions, permissionSchema, permissionUid, roleActions, roleSchema, roleUid, userUid } from './types.ts'

export type { Role, RolesInMemory, User } from './role.ts'
export { roleUid, userUid } from './types.ts'
export { Roles }

/** The settings of roles. */
export interface RolesConfig {
  /** Actions and patterns of actions, by the type of the role. */
  readonly permissions: Readonly<Record<string, readonly string[]>>
  /** Rules by the type of the role. */
  readonly rules: Readonly<Record<string, readonly RuleConfig[]>>
}

/** The content type of users, as far as roles know it. */
export interface UserModel {
  /** The attributes that rules cannot compare with, because they are not read with the user. */
  readonly secretAttributes: readonly string[]
}

/** Registers everything about roles. `startRoles` must follow in `bootstrap`. */
export function registerRoles(kernel: Kernel, config: RolesConfig, users: UserModel): Roles {
  const roles = new Roles(kernel)
  kernel.contentTypes.add(roleSchema, { uid: roleUid, routes: 'own', actions: roleActions })
  kernel.contentTypes.add(permissionSchema, { uid: permissionUid, routes: 'own' })
  kernel.actions.add(listPermissions)

  const rules = Object.values(config.rules).flat()
  kernel.hooks.on('preModel', draft => indexCompared(draft, rules))
  kernel.hooks.on('onModel', () => roles.configure(settingsOf(kernel, config, users)))
  kernel.hooks.on('prePlan', (draft, access) => restrictNode(draft, access, kernel.actions))
  kernel.hooks.on('prePlan', { for: ({ uid }) => uid === userUid }, (draft, access) =>
    dropUsersOfRoles(kernel, draft, access),
  )
  const isOfRoles = ({ uid }: { readonly uid: string }) => uid === roleUid || uid === permissionUid
  kernel.hooks.on('onCommit', { for: isOfRoles }, () => roles.reload())

  kernel.hooks.on('onMount', async app => {
    // Scripts have no routes, and may have no server installed.
    const [{ mountRoleRoutes }, { apiPrefix }] = await Promise.all([
      import('./routes.ts'),
      import('@plinth/server/transport'),
    ])
    mountRoleRoutes(app, { kernel, roles }, apiPrefix(kernel))
  })
  return roles
}

function settingsOf(kernel: Kernel, config: RolesConfig, { secretAttributes }: UserModel) {
  const { actions, contentTypes } = kernel
  const declared = findDeclared(config.permissions, actions)
  const paths = new UserPaths(contentTypes, userUid, secretAttributes)
  const filters = new RuleFilters(contentTypes, kernel.operators.values(), new RuleValues(paths))
  const rules = compileRules(config.rules, {
    types: contentTypes.values().filter(type => type.kind !== 'component'),
    filters,
    match: pattern => actions.match(pattern),
    actionOf: (uid, operation) => actions.of(uid, operation),
  })
  const role = { fields: ['id', ...(paths.populate.role?.fields ?? [])], populate: paths.populate.role?.populate ?? {} }
  return { declared, rules, userPopulate: { ...paths.populate, role } }
}

/** Makes the roles of a first start and those that are declared, and reads them. */
export async function startRoles(roles: Roles, config: RolesConfig): Promise<void> {
  await roles.store.establish(Object.keys(config.permissions))
  await roles.reload()
  checkRoleTypes(config.rules, roles.all)
}
