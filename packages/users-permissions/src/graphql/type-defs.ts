// The types and operations of the plugin in GraphQL, in v4's words (B-9.8). What needs the type of users or roles is left
// out if the application has switched that type off.

const accountTypes = `
  type UsersPermissionsMe {
    id: ID!
    username: String!
    email: String
    confirmed: Boolean
    blocked: Boolean
    role: UsersPermissionsMeRole
  }
  type UsersPermissionsMeRole { id: ID! name: String! description: String type: String }
  type UsersPermissionsLoginPayload { jwt: String user: UsersPermissionsMe! }
  type UsersPermissionsPasswordPayload { ok: Boolean! }
  input UsersPermissionsRegisterInput { username: String! email: String! password: String! }
  input UsersPermissionsLoginInput { identifier: String! password: String! provider: String! = "local" }
  extend type Query { me: UsersPermissionsMe }
  extend type Mutation {
    login(input: UsersPermissionsLoginInput!): UsersPermissionsLoginPayload!
    "Register a user"
    register(input: UsersPermissionsRegisterInput!): UsersPermissionsLoginPayload!
    "Request a reset password token"
    forgotPassword(email: String!): UsersPermissionsPasswordPayload
    "Reset user password. Confirm with a code (resetToken from forgotPassword)"
    resetPassword(password: String!, passwordConfirmation: String!, code: String!): UsersPermissionsLoginPayload
    "Change user password. Confirm with the current password."
    changePassword(
      currentPassword: String!
      password: String!
      passwordConfirmation: String!
    ): UsersPermissionsLoginPayload
    "Confirm an email users email address"
    emailConfirmation(confirmation: String!): UsersPermissionsLoginPayload
  }
`

/** Names of the types that the schema shows; null for one that is switched off. */
export interface ShownTypes {
  readonly user: string | null
  readonly role: string | null
}

/** The definitions of all operations that the schema can have. */
export function typeDefsFor({ user, role }: ShownTypes): string[] {
  return [
    accountTypes,
    ...(user === null
      ? []
      : [
          `extend type Mutation {
            "Create a new user"
            create${user}(data: ${user}Input!): ${user}EntityResponse!
            "Update an existing user"
            update${user}(id: ID!, data: ${user}Input!): ${user}EntityResponse!
            "Delete an existing user"
            delete${user}(id: ID!): ${user}EntityResponse!
          }`,
        ]),
    ...(role === null
      ? []
      : [
          `type UsersPermissionsCreateRolePayload { ok: Boolean! }
          type UsersPermissionsUpdateRolePayload { ok: Boolean! }
          type UsersPermissionsDeleteRolePayload { ok: Boolean! }
          extend type Mutation {
            "Create a new role"
            create${role}(data: ${role}Input!): UsersPermissionsCreateRolePayload
            "Update an existing role"
            update${role}(id: ID!, data: ${role}Input!): UsersPermissionsUpdateRolePayload
            "Delete an existing role"
            delete${role}(id: ID!): UsersPermissionsDeleteRolePayload
          }`,
        ]),
  ]
}
