// The content type of users, in the table of v4 (B-6.51). Applications extend it by
// src/extensions/users-permissions/content-types/user/schema.json.

import { roleUid, userUid } from '../roles/types.ts'

export { roleUid, userUid }

/** v4's table of users. */
export const userTable = 'up_users'

/** Attributes that only the plugin reads and writes: nobody else may send or see them. */
export const secretAttributes = ['resetPasswordToken', 'confirmationToken', 'tokensValidFrom'] as const

/** Attributes that decide what an account may do. Changing them needs the right to change roles (security.md row 49). */
export const powerAttributes = ['role', 'blocked', 'confirmed', 'provider'] as const

/** The actions of its operations that are not called as those of other content types. */
export const userActions = { delete: `${userUid}.destroy` } as const

/**
 * Tokens that were issued earlier are not valid (security.md row 58). v4 does not have it, so a schema that a v4 project
 * has for its users lacks it: it is added to whatever the schema is.
 */
export const validFromAttribute = {
  tokensValidFrom: { type: 'datetime', configurable: false, private: true, searchable: false },
} as const

/** The schema. `isEmailUnique` adds the unique index that v4 lacks (security.md row 65). */
export function userSchema(isEmailUnique: boolean): Readonly<Record<string, unknown>> {
  return {
    kind: 'collectionType',
    collectionName: userTable,
    globalId: 'UsersPermissionsUser',
    info: { name: 'user', description: '', singularName: 'user', pluralName: 'users', displayName: 'User' },
    options: { draftAndPublish: false },
    attributes: {
      username: { type: 'string', minLength: 3, unique: true, configurable: false, required: true },
      email: { type: 'email', minLength: 6, unique: isEmailUnique, configurable: false, required: true },
      provider: { type: 'string', configurable: false },
      password: { type: 'password', minLength: 6, configurable: false, private: true, searchable: false },
      resetPasswordToken: { type: 'string', configurable: false, private: true, searchable: false },
      confirmationToken: { type: 'string', configurable: false, private: true, searchable: false },
      confirmed: { type: 'boolean', default: false, configurable: false },
      blocked: { type: 'boolean', default: false, configurable: false },
      role: {
        type: 'relation',
        relation: 'manyToOne',
        target: roleUid,
        inversedBy: 'users',
        configurable: false,
      },
    },
  }
}
