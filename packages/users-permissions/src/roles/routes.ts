// The routes of roles and permissions (B-6.35 to B-6.40). Bodies and answers have no outer `data`.

import { isRecord, type PluginHost, ValidationError } from '@plinth/kernel'
import { contextOf, type DescribeOperation, idOf } from '@plinth/server/transport'
import type { FastifyRequest } from 'fastify'

import { createRole, deleteRole, missingRole, type RoleBody, type RoleTools, updateRole } from './changes.ts'
import { describeRoles } from './described.ts'
import { readTree, treeOf } from './tree.ts'
import { listPermissions, roleActions, roleUid } from './types.ts'

/** Adds the routes below `prefix` to the server. */
export function mountRoleRoutes(app: PluginHost, tools: RoleTools, prefix: string): void {
  const path = `${prefix}/users-permissions/roles`
  app.get(path, route(roleActions.find, describeRoles.find), async request => {
    await permit(tools, request)
    return { roles: await listRoles(tools) }
  })
  app.get(`${path}/:id`, route(roleActions.findOne, describeRoles.findOne), async request => {
    await permit(tools, request)
    return { role: await findRole(tools, idOf(request)) }
  })
  app.post(path, route(roleActions.create, describeRoles.create), async request => {
    await permit(tools, request)
    const body = bodyOf(request)
    const { enabled } = readTree(body.permissions, new Set(tools.kernel.actions.names))
    await createRole(tools, body, enabled)
    return { ok: true }
  })
  app.put(`${path}/:role`, route(roleActions.update, describeRoles.update), async request => {
    await permit(tools, request)
    const body = bodyOf(request)
    const sent = readTree(body.permissions, new Set(tools.kernel.actions.names))
    await updateRole(tools, { id: idOf(request, 'role'), body, sent })
    return { ok: true }
  })
  app.delete(`${path}/:role`, route(roleActions.delete, describeRoles.delete), async request => {
    await permit(tools, request)
    await deleteRole(tools, idOf(request, 'role'))
    return { ok: true }
  })
  app.get(
    `${prefix}/users-permissions/permissions`,
    route(listPermissions, describeRoles.permissions),
    async request => {
      await permit(tools, request)
      return { permissions: treeOf(tools.kernel.actions.names, new Set()) }
    },
  )
}

/** The options of the route of an action. */
const route = (action: string, operation: DescribeOperation) => ({ config: { action, operation } })

/** Throws CredentialsError or ForbiddenError if the caller may not do the action of the route. */
async function permit({ kernel }: RoleTools, request: FastifyRequest): Promise<void> {
  const { action } = request.routeOptions.config as { action: string }
  kernel.authorize(action, await contextOf(request))
}

async function listRoles({ kernel, roles }: RoleTools): Promise<object[]> {
  const [entries, users] = await Promise.all([kernel.query(roleUid).findMany({ sort: 'id' }), roles.store.countUsers()])
  return entries.map(role => ({ ...role, nb_users: users.get(role.id) ?? 0 }))
}

async function findRole({ kernel, roles }: RoleTools, id: number | null): Promise<object> {
  const role = id === null ? null : await kernel.query(roleUid).findOne(id)
  if (role === null) throw missingRole()
  const permissions = treeOf(kernel.actions.names, roles.ofUser(role.id).actions)
  const declared = roles.declared.get(String(role.type))
  // No request takes these away, nor deletes the role. v4 has no such roles.
  return { ...role, ...(declared !== undefined && { declaredPermissions: [...declared] }), permissions }
}

function bodyOf({ body }: FastifyRequest): RoleBody {
  if (!isRecord(body) || Object.keys(body).length === 0) throw new ValidationError('Request body cannot be empty')
  return body
}
