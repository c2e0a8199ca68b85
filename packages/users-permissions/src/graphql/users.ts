// The mutations of users in GraphQL. They replace the generated ones, and are the routes of users: hashes, roles and
// tokens are treated alike (B-9.81, security.md rows 49 and 58).

import type { GraphQLResolveInfo, GraphqlContext } from '@plinth/graphql'
import { type Kernel, NotFoundError, parseId } from '@plinth/kernel'
import type { MountedAccounts } from '../accounts/index.ts'
import { showing } from '../accounts/routes/answers.ts'
import { changeUser, storeUser } from '../accounts/routes/users.ts'
import { userUid } from '../accounts/user-type.ts'

type Data = Readonly<Record<string, unknown>>

/** The resolvers of users, by their names; `user` is the name of the type. */
export function userResolvers(user: string, mounted: () => MountedAccounts) {
  return {
    [`create${user}`]: async (
      _: unknown,
      { data }: { data: Data },
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => {
      const { tools } = mounted()
      return shownAfter(tools, context, info, () => storeUser(tools, data, context.caller))
    },
    [`update${user}`]: async (
      _: unknown,
      { id, data }: { id: string; data: Data },
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => {
      const { tools } = mounted()
      return shownAfter(tools, context, info, () => changeUser(tools, parseId(id), data, context.caller))
    },
    [`delete${user}`]: async (
      _: unknown,
      { id }: { id: string },
      { caller, responseOf }: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => {
      const { kernel } = mounted().tools
      const response = responseOf(info)
      const answer = response.answer('delete', caller)
      const userId = parseId(id)
      if (userId === null) return response.show(null)
      try {
        return response.show(await kernel.writer.delete({ uid: userUid, id: userId, answer, context: caller }))
      } catch (error) {
        // Without a user there is nothing to answer, as for other entries (B-9.64).
        if (error instanceof NotFoundError) return response.show(null)
        throw error
      }
    },
  }
}

/** The user of whom `work` returns the id. The selection is checked before, so that a wrong one changes nothing. */
async function shownAfter(
  tools: { readonly kernel: Kernel },
  { caller, responseOf }: GraphqlContext,
  info: GraphQLResolveInfo,
  work: () => Promise<number>,
) {
  const response = responseOf(info)
  const context = showing(tools, caller)
  response.check(context)
  return response.read(await work(), context)
}

/** The actions of the mutations. */
export function userSettings(user: string, { actions }: Kernel) {
  return Object.fromEntries(
    (['create', 'update', 'delete'] as const).map(one => [
      `Mutation.${one}${user}`,
      { action: actions.of(userUid, one) },
    ]),
  )
}
