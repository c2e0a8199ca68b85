// The content types `role` and `permission` in the tables of v4 (B-6.50, B-6.36). Their routes are in routes.ts.

export const roleUid = 'plugin::users-permissions.role'
export const permissionUid = 'plugin::users-permissions.permission'
export const userUid = 'plugin::users-permissions.user'

/** In the admin panel of v4 the types are not shown. */
const pluginOptions = {
  'content-manager': { visible: false },
  'content-type-builder': { visible: false },
}

export const roleSchema = {
  kind: 'collectionType',
  collectionName: 'up_roles',
  globalId: 'UsersPermissionsRole',
  info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
  pluginOptions,
  attributes: {
    name: { type: 'string', minLength: 3, required: true, configurable: false },
    description: { type: 'string', configurable: false },
    type: { type: 'string', unique: true, configurable: false },
    permissions: {
      type: 'relation',
      relation: 'oneToMany',
      target: permissionUid,
      mappedBy: 'role',
      configurable: false,
    },
    users: { type: 'relation', relation: 'oneToMany', target: userUid, mappedBy: 'role', configurable: false },
  },
}

export const permissionSchema = {
  kind: 'collectionType',
  collectionName: 'up_permissions',
  globalId: 'UsersPermissionsPermission',
  info: { singularName: 'permission', pluralName: 'permissions', displayName: 'Permission' },
  pluginOptions,
  attributes: {
    action: { type: 'string', required: true, configurable: false },
    role: {
      type: 'relation',
      relation: 'manyToOne',
      target: roleUid,
      inversedBy: 'permissions',
      configurable: false,
    },
  },
}

/** The names of the actions that are not called as those of other content types (B-6.2). */
export const roleActions = {
  find: `${roleUid}.find`,
  findOne: `${roleUid}.findOne`,
  create: `${roleUid}.createRole`,
  update: `${roleUid}.updateRole`,
  delete: `${roleUid}.deleteRole`,
}

/** The action of `GET /users-permissions/permissions` (B-6.40). */
export const listPermissions = 'plugin::users-permissions.permissions.getPermissions'
