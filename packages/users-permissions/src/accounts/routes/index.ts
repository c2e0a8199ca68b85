// Adds the routes of accounts to the server, each with the action that its callers need (B-6.20 to B-6.34).

import type { Context } from '@plinth/kernel'
import { queryOf } from '@plinth/rest'
import { addCorsHeaders, contextOf, idOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answeredByRest } from '../../roles/rest-answers.ts'
import type { Limits } from '../limits.ts'
import { comeBack, connect, exchange, type ProviderRequest } from '../providers/routes.ts'
import { type AccountTools, type AuthAction, authAction } from '../tools.ts'
import { userUid } from '../user-type.ts'
import { changePassword, logIn, register, resetPassword } from './auth.ts'
import { confirmEmail, forgotPassword, requestConfirmation } from './codes.ts'
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

/** The options of a route: the server runs the policies of its action, and it reads the query string itself. */
const routeOf = (action: string) => ({ config: { action, parsesQuery: true } })

function mountAuth(app: FastifyInstance, tools: AccountTools, limits: Limits | null): void {
  const add = (method: 'GET' | 'POST', path: string, name: AuthAction, work: Handler, options = {}) => {
    const action = authAction(name)
    const url = `${tools.prefix}/${path}`
    app.route({
      ...routeOf(action),
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
  add('POST', authPaths.callback, 'callback', ({ body }, context) => logIn(tools, body, context))
  add('POST', authPaths.register, 'register', ({ body }, context) => register(tools, body, context))
  add('POST', authPaths.forgotPassword, 'forgotPassword', ({ body }) => forgotPassword(tools, body))
  add('POST', authPaths.resetPassword, 'resetPassword', ({ body }, context) => resetPassword(tools, body, context))
  add('POST', authPaths.changePassword, 'changePassword', ({ body }, context) => changePassword(tools, body, context))
  add('POST', authPaths.sendEmailConfirmation, 'sendEmailConfirmation', ({ body }) => requestConfirmation(tools, body))
  add('GET', authPaths.emailConfirmation, 'emailConfirmation', async (request, _context, reply) =>
    reply.redirect(await confirmEmail(tools, queryOf(request)), 302),
  )
  const byProvider =
    (work: (tools: AccountTools, request: ProviderRequest) => unknown): Handler =>
    (request, context, reply) =>
      work(tools, { request, reply, context, params: queryOf(request) })
  add('GET', 'connect/:provider', 'connect', byProvider(connect))
  add('GET', 'connect/:provider/callback', 'connect', byProvider(comeBack), quiet)
  add('GET', 'auth/:provider/callback', 'callback', byProvider(exchange), quiet)
}

/** The log of requests has their URLs, and these contain codes. */
const quiet = { logLevel: 'warn' } as const

function mountUsers(app: FastifyInstance, tools: AccountTools): void {
  const { actions } = tools.kernel
  const path = `${tools.prefix}/users`
  const add = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, action: string, work: Handler) =>
    app.route({
      ...routeOf(action),
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
  add('GET', `${path}/me`, `${userUid}.me`, (request, context) => findMe(tools, queryOf(request), context))
  add('GET', `${path}/count`, `${userUid}.count`, async (request, context, reply) => {
    const count = await countUsers(tools, queryOf(request), context)
    reply.type('application/json; charset=utf-8')
    return String(count)
  })
  add('GET', path, actions.of(userUid, 'find'), (request, context) => findUsers(tools, queryOf(request), context))
  add('GET', `${path}/:id`, actions.of(userUid, 'findOne'), (request, context) =>
    findUser(tools, idOf(request), queryOf(request), context),
  )
  add('POST', path, actions.of(userUid, 'create'), async (request, context, reply) => {
    const user = await createUser(tools, request.body, context)
    reply.code(201)
    return user ?? {}
  })
  add('PUT', `${path}/:id`, actions.of(userUid, 'update'), (request, context) =>
    updateUser(tools, idOf(request), request.body, context),
  )
  add('DELETE', `${path}/:id`, actions.of(userUid, 'delete'), (request, context) =>
    deleteUser(tools, idOf(request), context),
  )
}
