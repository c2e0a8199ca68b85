// The mutations of roles in GraphQL. They replace the generated ones, and do the work of the routes of roles (B-9.81).
// Permissions are named by their ids, as relations are in inputs.

import { type Kernel, parseId, ValidationError } from '@plinth/kernel'
import { createRole, deleteRole, type RoleBody, type RoleTools, updateRole } from '../roles/changes.ts'
import type { SentActions } from '../roles/tree.ts'
import { permissionUid, roleActions } from '../roles/types.ts'

const done = { ok: true } as const

/** The resolvers of roles, by their names; `role` is the name of the type. */
export function roleResolvers(role: string, tools: RoleTools) {
  return {
    [`create${role}`]: async (_: unknown, { data }: { data: RoleBody }) => {
      const sent = await sentOf(tools.kernel, data)
      await createRole(tools, data, sent?.enabled ?? new Set())
      return done
    },
    [`update${role}`]: async (_: unknown, { id, data }: { id: string; data: RoleBody }) => {
      await updateRole(tools, { id: parseId(id), body: data, sent: await sentOf(tools.kernel, data) })
      return done
    },
    [`delete${role}`]: async (_: unknown, { id }: { id: string }) => {
      await deleteRole(tools, parseId(id))
      return done
    },
  }
}

/** The actions of the mutations. */
export function roleSettings(role: string) {
  return Object.fromEntries(
    (['create', 'update', 'delete'] as const).map(one => [`Mutation.${one}${role}`, { action: roleActions[one] }]),
  )
}

/** The actions of the permissions that data names; null if it names none. Throws ValidationError. */
async function sentOf(kernel: Kernel, { permissions, users, ...attributes }: RoleBody): Promise<SentActions | null> {
  if (permissions === undefined && Object.keys(attributes).length === 0)
    throw new ValidationError('Request body cannot be empty')
  if (users !== undefined && users !== null)
    throw new ValidationError('The role of a user is changed by a change of the user', { path: 'users' })
  if (permissions === undefined || permissions === null) return null
  const ids = new Set((permissions as readonly unknown[]).map(one => parseId(String(one))))
  const stored = await kernel.query(permissionUid).findMany({ fields: ['action'] })
  const entries = stored.filter(one => ids.has(one.id))
  const missing = ids.size - entries.length
  if (missing > 0)
    throw new ValidationError(`${missing} relation(s) of type ${permissionUid} do not exist`, { path: 'permissions' })
  const enabled = new Set(entries.map(one => String(one.action)).filter(action => kernel.actions.has(action)))
  return { enabled, disabled: new Set() }
}
