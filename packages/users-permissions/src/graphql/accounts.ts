// The operations of accounts in GraphQL: `me`, logins, registration, and everything about passwords and addresses. They
// are the routes of accounts, counted with them (B-9.85 to B-9.87, security.md row 61).

import type { GraphqlContext } from '@plinth/graphql'
import { ApplicationError, type Entry, systemAccess } from '@plinth/kernel'
import type { FastifyRequest } from 'fastify'
import type { MountedAccounts } from '../accounts/index.ts'
import { contextOfUser, loginAnswer, presentUser } from '../accounts/routes/answers.ts'
import { changePassword, logIn, register, resetPassword } from '../accounts/routes/auth.ts'
import { confirm, forgotPassword } from '../accounts/routes/codes.ts'
import { authPaths, useOf } from '../accounts/routes/paths.ts'
import { findMe } from '../accounts/routes/users.ts'
import { type AccountTools, authAction, callerId } from '../accounts/tools.ts'
import { userUid } from '../accounts/user-type.ts'

type Body = Readonly<Record<string, unknown>>

/** A user in an answer; of the caller, the role is always shown (B-9.86). */
interface ShownUser extends Entry {
  readonly [isCaller]?: true
}

const isCaller = Symbol('users-permissions.caller')

/**
 * The resolvers of accounts; the routes are mounted when one of them runs. `internal` makes an error with a message that
 * clients see, although it is not one of the kernel.
 */
export function accountResolvers(mounted: () => MountedAccounts, internal: (message: string) => Error) {
  /** A mutation that does the work of a route. */
  const as =
    (
      name: keyof typeof authPaths,
      work: (tools: AccountTools, body: Body, context: GraphqlContext['caller']) => unknown,
    ) =>
    async (_source: unknown, args: Body, { caller, koaContext }: GraphqlContext) => {
      const { tools, limits } = mounted()
      const body = 'input' in args ? (args.input as Body) : args
      // Each field is counted, however many one request has.
      if (isRequest(koaContext)) {
        const sent = () => body
        await limits?.check(koaContext, null, useOf(tools, { name, path: authPaths[name], sent, context: caller }))
      }
      return work(tools, body, caller)
    }
  return {
    Query: {
      me: async (_source: unknown, _args: unknown, { caller }: GraphqlContext): Promise<ShownUser> => {
        // An API token is a caller without a user (B-9.86).
        if (callerId(caller) === null) throw internal('Authentication requested')
        return { ...(await findMe(mounted().tools, {}, caller)), [isCaller]: true }
      },
    },
    Mutation: {
      login: as('callback', (tools, { provider, ...body }, context) => {
        if (provider !== 'local') throw new ApplicationError('This provider is disabled')
        return logIn(tools, body, context)
      }),
      register: as('register', register),
      forgotPassword: as('forgotPassword', forgotPassword),
      resetPassword: as('resetPassword', resetPassword),
      changePassword: as('changePassword', changePassword),
      emailConfirmation: as('emailConfirmation', async (tools, body, context) => {
        const user = await tools.users.read(await confirm(tools, body))
        return user === null ? null : loginAnswer(tools, user, context)
      }),
    },
    UsersPermissionsMe: {
      role: async (user: ShownUser, _args: unknown, { caller }: GraphqlContext) => {
        const { tools } = mounted()
        const roleQuery = { fields: ['id'], populate: { role: { fields: ['name', 'description', 'type'] } } }
        if (user[isCaller] === true) {
          const all = { ...caller, access: systemAccess }
          return (await tools.kernel.query(userUid, all).findOne(user.id, roleQuery))?.role ?? null
        }
        const own = await contextOfUser(tools, user.id, caller)
        return own === null ? null : ((await presentUser(tools, user.id, own, roleQuery))?.role ?? null)
      },
    },
  }
}

const openOperations = {
  login: 'callback',
  register: 'register',
  forgotPassword: 'forgotPassword',
  resetPassword: 'resetPassword',
  emailConfirmation: 'emailConfirmation',
} as const

/**
 * The actions of the operations, whose policies run. Only the change of a password needs the right to its action, and `me`
 * a caller who has logged in (B-9.85, B-9.86).
 */
export const accountSettings = {
  ...Object.fromEntries(
    Object.entries(openOperations).map(([name, action]) => [
      `Mutation.${name}`,
      { action: authAction(action), auth: false },
    ]),
  ),
  'Mutation.changePassword': { action: authAction('changePassword') },
  'Query.me': { action: `${userUid}.me`, auth: {} },
} as const

/** Returns whether an operation came by a request; code may execute operations without one. */
function isRequest(value: unknown): value is FastifyRequest {
  return typeof value === 'object' && value !== null && 'routeOptions' in value
}
