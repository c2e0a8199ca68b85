// The routes of roles and permissions (B-6.35 to B-6.40). Bodies and answers have no outer `data`.

import { ApplicationError, type Kernel, NotFoundError, type PluginHost, ValidationError } from '@plinth/kernel'
import { contextOf } from '@plinth/server/transport'
import type { FastifyRequest } from 'fastify'

import type { Roles } from './roles.ts'
import { isInTree, readTree, treeOf } from './tree.ts'
import { listPermissions, roleActions, roleUid } from './types.ts'

/** What the routes work with. */
interface Tools {
  readonly kernel: Kernel
  readonly roles: Roles
}

type Body = Readonly<Record<string, unknown>>

/** Adds the routes below `prefix` to the server. */
export function mountRoleRoutes(app: PluginHost, tools: Tools, prefix: string): void {
  const path = `${prefix}/users-permissions/roles`
  app.get(path, route(roleActions.find), async request => {
    await permit(tools, request)
    return { roles: await listRoles(tools) }
  })
  app.get(`${path}/:id`, route(roleActions.findOne), async request => {
    await permit(tools, request)
    return { role: await findRole(tools, idOf(request, 'id')) }
  })
  app.post(path, route(roleActions.create), async request => {
    await permit(tools, request)
    await createRole(tools, bodyOf(request))
    return { ok: true }
  })
  app.put(`${path}/:role`, route(roleActions.update), async request => {
    await permit(tools, request)
    await updateRole(tools, idOf(request, 'role'), bodyOf(request))
    return { ok: true }
  })
  app.delete(`${path}/:role`, route(roleActions.delete), async request => {
    await permit(tools, request)
    await deleteRole(tools, idOf(request, 'role'))
    return { ok: true }
  })
  app.get(`${prefix}/users-permissions/permissions`, route(listPermissions), async request => {
    await permit(tools, request)
    return { permissions: treeOf(tools.kernel.actions.names, new Set()) }
  })
}

/** The options of the route of an action. */
const route = (action: string) => ({ config: { action } })

/** Throws CredentialsError or ForbiddenError if the caller may not do the action of the route. */
async function permit({ kernel }: Tools, request: FastifyRequest): Promise<void> {
  const { action } = request.routeOptions.config as { action: string }
  kernel.authorize(action, await contextOf(request))
}

async function listRoles({ kernel, roles }: Tools): Promise<object[]> {
  const [found, users] = await Promise.all([kernel.query(roleUid).findMany({ sort: 'id' }), roles.store.countUsers()])
  return found.map(role => ({ ...role, nb_users: users.get(role.id) ?? 0 }))
}

async function findRole({ kernel, roles }: Tools, id: number | null): Promise<object> {
  const found = id === null ? null : await kernel.query(roleUid).findOne(id)
  if (found === null) throw missing()
  return { ...found, permissions: treeOf(kernel.actions.names, roles.ofUser(found.id).actions) }
}

async function createRole({ kernel, roles }: Tools, body: Body): Promise<void> {
  const { name, description, type } = body
  const { enabled } = readTree(body.permissions, new Set(kernel.actions.names))
  const data = { name, description, type: isEmpty(type) ? snakeCase(name) : type }
  await kernel.transaction(async tx => {
    const { id } = await kernel.query(roleUid).create({ data, fields: ['id'] })
    await roles.store.setActions(tx, id, enabled)
  })
  await roles.reload()
}

/** Changes a role. Its permissions become those that are sent; without any, it has none (B-6.38). */
async function updateRole({ kernel, roles }: Tools, id: number | null, body: Body): Promise<void> {
  const known = new Set(kernel.actions.names)
  const { enabled, disabled } = readTree(body.permissions, known)
  const data = Object.fromEntries(['name', 'description'].filter(key => key in body).map(key => [key, body[key]]))
  await kernel.transaction(async tx => {
    const stored = (await roles.store.read()).find(role => role.id === id)
    if (stored === undefined) throw missing()
    const declared = roles.declared.get(stored.type) ?? new Set()
    const kept = [...disabled].find(action => declared.has(action))
    if (kept !== undefined) throw declaredError(`The permission ${kept} of the role "${stored.type}"`, 'removed')
    if (Object.keys(data).length > 0) await kernel.query(roleUid).update(stored.id, { data, fields: ['id'] })
    // What is declared need not be stored; what the tree cannot show, such as actions of a plugin that is off, stays.
    const beyond = stored.actions.filter(action => !known.has(action) || !isInTree(action))
    const wanted = [...enabled].filter(action => !declared.has(action))
    await roles.store.setActions(tx, stored.id, new Set([...beyond, ...wanted]))
  })
  await roles.reload()
}

async function deleteRole({ kernel, roles }: Tools, id: number | null): Promise<void> {
  await kernel.transaction(async tx => {
    const stored = await roles.store.read()
    const role = stored.find(one => one.id === id)
    const fallback = stored.find(one => one.type === 'public')
    if (role === undefined) throw missing()
    if (role === fallback) throw new ApplicationError('Cannot delete public role')
    if (roles.declared.has(role.type)) throw declaredError(`The role "${role.type}"`, 'deleted')
    if (fallback !== undefined) await roles.store.moveUsers(tx, role.id, fallback.id)
    await roles.store.setActions(tx, role.id, new Set())
    await kernel.query(roleUid).delete(role.id, { fields: ['id'] })
  })
  await roles.reload()
}

function declaredError(what: string, verb: 'removed' | 'deleted'): ApplicationError {
  return new ApplicationError(`${what} is declared in config/plugins and can only be ${verb} there`)
}

const missing = () => new NotFoundError('Role not found')

function idOf({ params }: FastifyRequest, name: string): number | null {
  const text = (params as Record<string, string>)[name] ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

function bodyOf({ body }: FastifyRequest): Body {
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body)
  if (!isObject || Object.keys(body).length === 0) throw new ValidationError('Request body cannot be empty')
  return body as Body
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** `Shop Editor` is `shop_editor`; letters lose their accents (B-6.37). */
function snakeCase(name: unknown): unknown {
  if (typeof name !== 'string') return name
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}]+|\p{N}+/gu)?.join('_') ?? plain
}
