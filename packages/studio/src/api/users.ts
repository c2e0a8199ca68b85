// Reads and changes users and roles by the routes of the plugin users-permissions.

import { askBody } from './http.ts'

const prefix = 'plugin::users-permissions'

/** The actions that the pages of users and roles need. */
export const userActions = {
  list: `${prefix}.user.find`,
  create: `${prefix}.user.create`,
  update: `${prefix}.user.update`,
  /** Needed in addition to change the role of a user, and to block one. */
  decide: `${prefix}.role.updateRole`,
  remove: `${prefix}.user.destroy`,
  listRoles: `${prefix}.role.find`,
  readRole: `${prefix}.role.findOne`,
  updateRole: `${prefix}.role.updateRole`,
  createRole: `${prefix}.role.createRole`,
  deleteRole: `${prefix}.role.deleteRole`,
  listActions: `${prefix}.permissions.getPermissions`,
} as const

export interface Role {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly type: string
}

/** A role in the list of all, with the number of its users. */
export interface ListedRole extends Role {
  readonly nb_users: number
}

/** `{ 'api::article': { controllers: { article: { find: { enabled: true } } } } }` */
export type PermissionTree = Readonly<
  Record<
    string,
    { readonly controllers: Readonly<Record<string, Readonly<Record<string, { readonly enabled: boolean }>>>> }
  >
>

export interface RoleWithPermissions extends Role {
  readonly permissions: PermissionTree
  /** The permissions that the application declares in its code; missing for a role of which it declares none. */
  readonly declaredPermissions?: readonly string[]
}

export interface ListedUser {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly blocked: boolean | null
  readonly confirmed: boolean | null
  readonly role: Role | null
}

export interface UserChange {
  readonly username?: string
  readonly email?: string
  readonly password?: string
  readonly role?: number
  readonly blocked?: boolean
  readonly confirmed?: boolean
}

export const usersOnPage = 50

/** A page of the users whose name or address contains the text, and one more if there are others. */
export async function listUsers(text: string, page: number, signal: AbortSignal): Promise<readonly ListedUser[]> {
  const contains = { $containsi: text }
  const filters = text === '' ? null : { $or: [{ username: contains }, { email: contains }] }
  const parameters = {
    populate: { role: true },
    sort: 'username',
    start: (page - 1) * usersOnPage,
    limit: usersOnPage + 1,
    filters,
  }
  return askBody<readonly ListedUser[]>({ path: '/users', parameters, signal })
}

export const createUser = (change: UserChange): Promise<ListedUser> =>
  askBody({ method: 'POST', path: '/users', body: { provider: 'local', confirmed: true, ...change } })

export const updateUser = (id: number, change: UserChange): Promise<ListedUser> =>
  askBody({ method: 'PUT', path: `/users/${id}`, body: change })

export const deleteUser = (id: number): Promise<unknown> => askBody({ method: 'DELETE', path: `/users/${id}` })

export const listRoles = async (signal: AbortSignal): Promise<readonly ListedRole[]> =>
  (await askBody<{ readonly roles: readonly ListedRole[] }>({ path: '/users-permissions/roles', signal })).roles

export const readRole = async (id: number, signal: AbortSignal): Promise<RoleWithPermissions> =>
  (await askBody<{ readonly role: RoleWithPermissions }>({ path: `/users-permissions/roles/${id}`, signal })).role

export const updateRole = (id: number, permissions: PermissionTree): Promise<unknown> =>
  askBody({ method: 'PUT', path: `/users-permissions/roles/${id}`, body: { permissions } })

export const createRole = (role: Pick<Role, 'name' | 'description'>): Promise<unknown> =>
  askBody({ method: 'POST', path: '/users-permissions/roles', body: { ...role, permissions: {} } })

export const deleteRole = (id: number): Promise<unknown> =>
  askBody({ method: 'DELETE', path: `/users-permissions/roles/${id}` })

/** The names of all actions that there are. */
export async function listActions(signal: AbortSignal): Promise<readonly string[]> {
  const path = '/users-permissions/permissions'
  const { permissions } = await askBody<{ readonly permissions: PermissionTree }>({ path, signal })
  return Object.entries(permissions).flatMap(([part, { controllers }]) =>
    Object.entries(controllers).flatMap(([controller, actions]) =>
      Object.keys(actions).map(action => `${part}.${controller}.${action}`),
    ),
  )
}
