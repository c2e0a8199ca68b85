// The fields of the root that v4's GraphQL has for built-in actions of the project's types and of v4's own plugins, and
// the types that they answer.

import type { Operation, TypeOfProject } from './model.ts'
import { operationsOf } from './types.ts'

/** A field of the root. */
export interface RootField {
  readonly root: 'Query' | 'Mutation'
  readonly name: string
  readonly action: string
  /** The content type that it answers, and the name of that type in GraphQL; null for other answers. */
  readonly uid: string | null
  readonly typeName: string
  /** The action of `shadowCRUD` that makes it; null if a plugin makes it by code of its own. */
  readonly shadow: Operation | null
  /** The attributes of the type; null if they are not known. */
  readonly attributes: readonly string[] | null
}

/** All fields of the root for the types of a project and for v4's plugins. */
export const rootFields = (types: readonly TypeOfProject[]): readonly RootField[] => [
  ...types.flatMap(type =>
    operationsOf(type).map(operation => ({
      root: isReading(operation) ? ('Query' as const) : ('Mutation' as const),
      name: fieldOf(type, operation),
      action: `${type.uid}.${operation}`,
      uid: type.uid,
      typeName: wordsOf(type),
      shadow: operation,
      attributes: type.attributes,
    })),
  ),
  ...ofPlugins,
]

const isReading = (operation: Operation) => operation === 'find' || operation === 'findOne'

const wordsOf = ({ singularName }: TypeOfProject) =>
  singularName
    .split(/[-_\s]+/)
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** The name of the field that v4 makes for an action. */
function fieldOf(type: TypeOfProject, operation: Operation): string {
  if (!isReading(operation)) return `${operation}${wordsOf(type)}`
  const name = operation === 'find' && !type.isSingle ? type.pluralName : type.singularName
  return name.replaceAll(/[-_\s]+(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `uid`, the name of the type, and its fields: the name, the action, the action of `shadowCRUD`. */
type Row = readonly [field: string, action: string, shadow?: Operation]

const rows = (uid: string | null, typeName: string, list: readonly Row[]): readonly RootField[] =>
  list.map(([field, action, shadow]) => {
    const [root, name] = field.split('.') as ['Query' | 'Mutation', string]
    return { root, name, action: `plugin::${action}`, uid, typeName, shadow: shadow ?? null, attributes: null }
  })

const ofPlugins: readonly RootField[] = [
  ...rows('plugin::users-permissions.user', 'UsersPermissionsUser', [
    ['Query.usersPermissionsUser', 'users-permissions.user.findOne', 'findOne'],
    ['Query.usersPermissionsUsers', 'users-permissions.user.find', 'find'],
    ['Mutation.createUsersPermissionsUser', 'users-permissions.user.create'],
    ['Mutation.updateUsersPermissionsUser', 'users-permissions.user.update'],
    ['Mutation.deleteUsersPermissionsUser', 'users-permissions.user.destroy'],
  ]),
  ...rows('plugin::users-permissions.role', 'UsersPermissionsRole', [
    ['Query.usersPermissionsRole', 'users-permissions.role.findOne', 'findOne'],
    ['Query.usersPermissionsRoles', 'users-permissions.role.find', 'find'],
    ['Mutation.createUsersPermissionsRole', 'users-permissions.role.createRole'],
    ['Mutation.updateUsersPermissionsRole', 'users-permissions.role.updateRole'],
    ['Mutation.deleteUsersPermissionsRole', 'users-permissions.role.deleteRole'],
  ]),
  ...rows(null, 'UsersPermissionsMe', [['Query.me', 'users-permissions.user.me']]),
  ...rows(null, 'UsersPermissionsLoginPayload', [
    ['Mutation.login', 'users-permissions.auth.callback'],
    ['Mutation.register', 'users-permissions.auth.register'],
    ['Mutation.resetPassword', 'users-permissions.auth.resetPassword'],
    ['Mutation.changePassword', 'users-permissions.auth.changePassword'],
    ['Mutation.emailConfirmation', 'users-permissions.auth.emailConfirmation'],
  ]),
  ...rows(null, 'UsersPermissionsPasswordPayload', [
    ['Mutation.forgotPassword', 'users-permissions.auth.forgotPassword'],
  ]),
  ...rows('plugin::upload.file', 'UploadFile', [
    ['Query.uploadFile', 'upload.content-api.findOne', 'findOne'],
    ['Query.uploadFiles', 'upload.content-api.find', 'find'],
    ['Mutation.createUploadFile', 'upload.content-api.upload', 'create'],
    ['Mutation.updateUploadFile', 'upload.content-api.upload', 'update'],
    ['Mutation.deleteUploadFile', 'upload.content-api.destroy', 'delete'],
    ['Mutation.upload', 'upload.content-api.upload'],
    ['Mutation.multipleUpload', 'upload.content-api.upload'],
    ['Mutation.updateFileInfo', 'upload.content-api.upload'],
    ['Mutation.removeFile', 'upload.content-api.destroy'],
  ]),
  ...rows('plugin::i18n.locale', 'I18NLocale', [
    ['Query.i18NLocale', 'i18n.locales.listLocales', 'findOne'],
    ['Query.i18NLocales', 'i18n.locales.listLocales', 'find'],
  ]),
]
