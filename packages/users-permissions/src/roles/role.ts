// Declares what the rest of the plugin knows of a role and of the roles in memory.

import type { Access } from '@plinth/kernel'
import type { RoleRules } from '../rules/rule.ts'

/** A role and the actions it is permitted. */
export interface Role {
  readonly id: number
  readonly type: string
  readonly name: string
  /** Changes with every change of the role's permissions, so that plans of an earlier version are not used. */
  readonly version: number
  readonly actions: ReadonlySet<string>
  readonly rules: RoleRules
}

/** A row of the table of users: the attributes by their names, and what the rules read of its relations. */
export interface User {
  readonly id: number
  readonly [attribute: string]: unknown
}

/** The roles, kept in memory. */
export interface RolesInMemory {
  /** All roles. */
  readonly all: readonly Role[]
  /** The role of callers without a token. */
  readonly public: Role
  /** The rights of callers without a token: one object until the role changes. */
  readonly publicAccess: Access
  /** The role with this id; the public role if the user has none, or one that does not exist. */
  ofUser(roleId: number | null): Role
  /** The rights of a caller: the key depends on the role alone. */
  accessOf(role: Role, user: User | null): Access
  /**
   * Reads the roles again if another process may have changed them. To be awaited before a request is checked; undefined
   * if there is nothing to wait for, which is nearly always so. `now` is as of `performance.now()`.
   */
  refresh(now?: number): Promise<void> | undefined
  /**
   * The relations that are populated when a user is read for `accessOf`, beside its scalars: the id of the role, and
   * what `$user.<path>` names in rules.
   */
  readonly userPopulate: Readonly<Record<string, object>>
}
