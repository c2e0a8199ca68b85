// Creates, changes and deletes roles, for every transport that offers it (B-6.37 to B-6.39). The right to do so belongs to
// the transport.

import { ApplicationError, type Kernel, NotFoundError } from '@plinth/kernel'
import type { Roles } from './roles.ts'
import type { StoredRole } from './store.ts'
import { isInTree, type SentActions } from './tree.ts'
import { roleUid } from './types.ts'

/** The parts of the plugin with which roles are changed. */
export interface RoleTools {
  readonly kernel: Kernel
  readonly roles: Roles
}

/** The attributes of a role as they were sent. */
export type RoleBody = Readonly<Record<string, unknown>>

/** Makes a role with these actions (B-6.37). */
export async function createRole(
  { kernel, roles }: RoleTools,
  body: RoleBody,
  enabled: ReadonlySet<string>,
): Promise<void> {
  const { name, description, type } = body
  const data = { name, description, type: isEmpty(type) ? snakeCase(name) : type }
  await kernel.transaction(async tx => {
    const { id } = await kernel.query(roleUid).create({ data, fields: ['id'] })
    await roles.store.setActions(tx, id, enabled)
  })
  await roles.reload()
}

/** A change of a role. */
export interface RoleChange {
  readonly id: number | null
  readonly body: RoleBody
  /** Its permissions become those that are enabled (B-6.38); null leaves them as they are. */
  readonly sent: SentActions | null
}

/** Changes a role. Throws NotFoundError, and ApplicationError for what the settings declare. */
export async function updateRole({ kernel, roles }: RoleTools, { id, body, sent }: RoleChange): Promise<void> {
  const data = Object.fromEntries(['name', 'description'].filter(key => key in body).map(key => [key, body[key]]))
  await kernel.transaction(async tx => {
    const stored = (await roles.store.read()).find(role => role.id === id)
    if (stored === undefined) throw missingRole()
    if (sent !== null) refuseDeclared(roles, stored, sent)
    if (Object.keys(data).length > 0) await kernel.query(roleUid).update(stored.id, { data, fields: ['id'] })
    if (sent !== null) await roles.store.setActions(tx, stored.id, actionsToStore(kernel, roles, stored, sent))
  })
  await roles.reload()
}

/** Deletes a role; its users get the public role (B-6.39). */
export async function deleteRole({ kernel, roles }: RoleTools, id: number | null): Promise<void> {
  await kernel.transaction(async tx => {
    const stored = await roles.store.read()
    const role = stored.find(one => one.id === id)
    const fallback = stored.find(one => one.type === 'public')
    if (role === undefined) throw missingRole()
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

function refuseDeclared(roles: Roles, { type }: StoredRole, { disabled }: SentActions): void {
  const declared = roles.declared.get(type) ?? new Set()
  const declaredAction = [...disabled].find(action => declared.has(action))
  if (declaredAction !== undefined)
    throw declaredError(`The permission ${declaredAction} of the role "${type}"`, 'removed')
}

/**
 * Returns the actions to store. Declared ones need not be stored; what the tree cannot show, such as actions of a
 * plugin that is off, stays.
 */
function actionsToStore({ actions }: Kernel, roles: Roles, stored: StoredRole, { enabled }: SentActions): Set<string> {
  const declared = roles.declared.get(stored.type) ?? new Set()
  const beyond = stored.actions.filter(action => !actions.has(action) || !isInTree(action))
  return new Set([...beyond, ...[...enabled].filter(action => !declared.has(action))])
}

export const missingRole = () => new NotFoundError('Role not found')

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** `Shop Editor` is `shop_editor`; letters lose their accents (B-6.37). */
function snakeCase(name: unknown): unknown {
  if (typeof name !== 'string') return name
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}]+|\p{N}+/gu)?.join('_') ?? plain
}
