// Provides the context of a request, with the rights of its caller. A request is authenticated once: several
// transports, hooks and the application's own routes share the result.

import {
  type Access,
  type AnswerLimits,
  type Context,
  createContext,
  type Kernel,
  UsageError,
  ValidationError,
} from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { shareOf } from './budget/requests.ts'
import { isOpenRoute } from './open-route.ts'

/** The property of a request that holds its context. */
const contextKey = Symbol('plinth.context')

interface Keeper {
  [contextKey]?: Promise<Context> | null
}

/** Declares the property on the requests of a scope, so that setting it does not change their hidden class. */
export function keepContexts(scope: FastifyInstance): void {
  // An outer scope may have declared it, as with one kernel below another.
  if (!scope.hasRequestDecorator(contextKey)) scope.decorateRequest(contextKey, null)
}

/**
 * The context of a request to the kernel in whose scope its route is: `kernel.query(uid, await contextOf(request))` has
 * the rights of the caller. Throws what strategies throw (CredentialsError), and ValidationError for two `Authorization`
 * headers, unless the route's `config.action` is an action that everybody may do: then credentials are not read. With
 * `limits`, the context has these limits, and shares `state` and rights with the request's other contexts.
 */
export function contextOf(request: FastifyRequest, limits?: AnswerLimits): Promise<Context> {
  const keeper = request as Keeper
  const pending = keeper[contextKey]
  if (pending === undefined || pending === null) {
    const context = makeContext(request, limits)
    keeper[contextKey] = context
    return context
  }
  return limits === undefined ? pending : withLimits(pending, limits)
}

async function makeContext(request: FastifyRequest, limits: AnswerLimits | undefined): Promise<Context> {
  const { kernel } = request.server as { readonly kernel?: Kernel }
  if (kernel === undefined)
    throw new UsageError(
      'PLINTH_NO_KERNEL',
      `contextOf: the route ${request.url} is in no scope in which a kernel is mounted`,
    )
  const { auth } = kernel
  const access = isOpenRoute(kernel, request) ? auth.anonymous : await authenticate(auth, request)
  const { socket } = request.raw
  return createContext(access, request, () => socket.writable === false, limits, shareOf(request, access))
}

function authenticate(auth: Kernel['auth'], request: FastifyRequest): Promise<Access> {
  if (request.headers.authorization !== undefined) refuseTwo(request.raw.rawHeaders)
  return auth.authenticate(request)
}

/**
 * Refuses a second `Authorization` header, which Node drops without a word: a proxy may have checked the other one
 * (security.md row 60).
 */
function refuseTwo(rawHeaders: readonly string[]): void {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 13 && name.toLowerCase() === 'authorization' && ++count > 1)
      throw new ValidationError('The request has more than one Authorization header', { path: 'authorization' })
  }
}

async function withLimits(pending: Promise<Context>, limits: AnswerLimits): Promise<Context> {
  const context = await pending
  return context.limits === limits ? context : { ...context, limits }
}
