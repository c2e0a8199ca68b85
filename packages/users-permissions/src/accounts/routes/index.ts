// Adds the routes of accounts to the server, each with the action that its callers need (B-6.20 to B-6.34).

import type { Context, Operation } from '@plinth/kernel'
import { queryOf } from '@plinth/rest'
import { addCorsHeaders, contextOf, type DescribeOperation, idOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answeredByRest } from '../../roles/rest-answers.ts'
import type { Limits } from '../limits.ts'
import { comeBack, connect, exchange, type ProviderRequest } from '../providers/routes.ts'
import { type AccountTools, type AuthAction, authAction } from '../tools.ts'
import { userUid } from '../user-type.ts'
import { changePassword, logIn, register, resetPassword } from './auth.ts'
import { confirmEmail, forgotPassword, requestConfirmation } from './codes.ts'
import { describeAuth, describeComeBack, describeConnect, describeExchange, describeUsers } from './described.ts'
import { authPaths, useOf } from './paths.ts'
import { countUsers, createUser, deleteUser, findMe, findUser, findUsers, updateUser } from './users.ts'

type Handler = (request: FastifyRequest, context: Context, reply: FastifyReply) => unknown

/** The maximum number of entries and bytes of one answer, as the REST API has them by default. */
const answerLimits = { maxEntries: 100_000, maxBytes: 50 * 1024 * 1024 }

/** The headers that tell clients of the limits of requests. */
const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Adds all routes. Without limits, requests are not counted. */
export function mountAccountRoutes(app: FastifyInstance, tools: AccountTools, limits: Limits | null): void {
  if (limits !== null) addCorsHeaders(tools.kernel, { expose: limitHeaders })
  mountAuth(app, tools, limits)
  mountUsers(app, tools)
}

/**
 * The options of a route: the server runs the policies of its action, it reads the query string itself, and documents
 * describe it.
 */
const routeOf = (action: string, operation: DescribeOperation) => ({ config: { action, operation, parsesQuery: true } })

/** A route of an action that belongs to no content type. */
interface AuthRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly name: AuthAction
  readonly operation: DescribeOperation
}

function mountAuth(app: FastifyInstance, tools: AccountTools, limits: Limits | null): void {
  const add = ({ method, path, name, operation }: AuthRoute, work: Handler, options = {}) => {
    const action = authAction(name)
    const url = `${tools.prefix}/${path}`
    app.route({
      ...routeOf(action, operation),
      ...options,
      method,
      url,
      async handler(request, reply) {
        const context = await contextOf(request)
        // A request is counted before anything else is done for it.
        const sent = () => (method === 'GET' ? queryOf(request) : request.body)
        await limits?.check(request, reply, useOf(tools, { name, path, sent, context }))
        tools.kernel.authorize(action, context)
        return work(request, context, reply)
      },
    })
  }
  const own = (method: 'GET' | 'POST', name: keyof typeof authPaths, work: Handler) =>
    add({ method, path: authPaths[name], name, operation: describeAuth[name] }, work)
  own('POST', 'callback', ({ body }, context) => logIn(tools, body, context))
  own('POST', 'register', ({ body }, context) => register(tools, body, context))
  own('POST', 'forgotPassword', ({ body }) => forgotPassword(tools, body))
  own('POST', 'resetPassword', ({ body }, context) => resetPassword(tools, body, context))
  own('POST', 'changePassword', ({ body }, context) => changePassword(tools, body, context))
  own('POST', 'sendEmailConfirmation', ({ body }) => requestConfirmation(tools, body))
  own('GET', 'emailConfirmation', async (request, _context, reply) =>
    reply.redirect(await confirmEmail(tools, queryOf(request)), 302),
  )
  const byProvider =
    (work: (tools: AccountTools, request: ProviderRequest) => unknown): Handler =>
    (request, context, reply) =>
      work(tools, { request, reply, context, params: queryOf(request) })
  const get = (path: string, name: AuthAction, operation: DescribeOperation) =>
    ({ method: 'GET', path, name, operation }) as const
  add(get('connect/:provider', 'connect', describeConnect), byProvider(connect))
  add(get('connect/:provider/callback', 'connect', describeComeBack), byProvider(comeBack), quiet)
  add(get('auth/:provider/callback', 'callback', describeExchange), byProvider(exchange), quiet)
}

/** The log of requests has their URLs, and these contain codes. */
const quiet = { logLevel: 'warn' } as const

/** A route of users. */
interface UserRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly action: string
  readonly operation: DescribeOperation
}

function mountUsers(app: FastifyInstance, tools: AccountTools): void {
  const { actions } = tools.kernel
  const path = `${tools.prefix}/users`
  const add = ({ method, url, action, operation }: UserRoute, work: Handler) =>
    app.route({
      ...routeOf(action, operation),
      method,
      url,
      async handler(request, reply) {
        const context = answeredByRest(await contextOf(request, answerLimits))
        tools.kernel.authorize(action, context)
        const answer = await work(request, context, reply)
        // Without a user there is nothing to answer (B-6.31).
        return answer === null ? reply.code(204).send() : reply.send(answer)
      },
    })
  const ofEntry = (method: UserRoute['method'], url: string, name: Operation): UserRoute => ({
    method,
    url,
    action: actions.of(userUid, name),
    operation: describeUsers[name],
  })
  const { me, count } = describeUsers
  add({ method: 'GET', url: `${path}/me`, action: `${userUid}.me`, operation: me }, (request, context) =>
    findMe(tools, queryOf(request), context),
  )
  add(
    { method: 'GET', url: `${path}/count`, action: `${userUid}.count`, operation: count },
    async (request, context, reply) => {
      const number = await countUsers(tools, queryOf(request), context)
      reply.type('application/json; charset=utf-8')
      return String(number)
    },
  )
  add(ofEntry('GET', path, 'find'), (request, context) => findUsers(tools, queryOf(request), context))
  add(ofEntry('GET', `${path}/:id`, 'findOne'), (request, context) =>
    findUser(tools, idOf(request), queryOf(request), context),
  )
  add(ofEntry('POST', path, 'create'), async (request, context, reply) => {
    const user = await createUser(tools, request.body, context)
    reply.code(201)
    return user ?? {}
  })
  add(ofEntry('PUT', `${path}/:id`, 'update'), (request, context) =>
    updateUser(tools, idOf(request), request.body, context),
  )
  add(ofEntry('DELETE', `${path}/:id`, 'delete'), (request, context) => deleteUser(tools, idOf(request), context))
}
