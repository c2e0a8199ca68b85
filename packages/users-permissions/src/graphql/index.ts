// Adds to GraphQL what the plugin has, if the plugin graphql is enabled: the operations of accounts, and its own
// mutations in the place of those that are generated for users, roles and permissions (B-9.8).

import type { Extension, ExtensionService } from '@plinth/graphql'
import type { MountedAccounts } from '../accounts/index.ts'
import { userUid, validFromAttribute } from '../accounts/user-type.ts'
import type { RoleTools } from '../roles/changes.ts'
import { permissionUid, roleUid } from '../roles/types.ts'
import { accountResolvers, accountSettings } from './accounts.ts'
import { roleResolvers, roleSettings } from './roles.ts'
import { typeDefsFor } from './type-defs.ts'
import { userResolvers, userSettings } from './users.ts'

/** Registers everything with the service of the plugin graphql. */
export function extendGraphql(
  extension: ExtensionService,
  tools: RoleTools & { readonly mounted: () => MountedAccounts },
): void {
  // Nothing may write users and roles past the work of their routes.
  for (const uid of [userUid, roleUid, permissionUid]) extension.shadowCRUD(uid).disableMutations()
  extension.shadowCRUD(permissionUid).disableQueries()
  for (const name of Object.keys(validFromAttribute)) extension.shadowCRUD(userUid).field(name).disable()
  extension.use(({ kernel, schema, typeName, graphql }): Extension => {
    // Without generated operations there are none of plugins either (B-9.16).
    if (Object.keys(schema.getQueryType()?.getFields() ?? {}).length === 0) return {}
    const user = typeName(userUid)
    const role = typeName(roleUid)
    const { Mutation, ...resolvers } = accountResolvers(tools.mounted, message => new graphql.GraphQLError(message))
    return {
      typeDefs: typeDefsFor({ user, role }),
      resolvers: {
        ...resolvers,
        Mutation: {
          ...Mutation,
          ...(user !== null && userResolvers(user, tools.mounted)),
          ...(role !== null && roleResolvers(role, tools)),
        },
      },
      resolversConfig: {
        ...accountSettings,
        ...(user !== null && userSettings(user, kernel)),
        ...(role !== null && roleSettings(role)),
      },
    }
  })
}
