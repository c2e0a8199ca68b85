// Routes that name their action in `config.action`: the server checks the right to it and runs its policies before their
// handlers, if it has policies, and reads no credentials if everybody may do it.

import { type Context, type Kernel, type PolicyContext, type PolicyRun, UsageError } from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler, RouteOptions } from 'fastify'
import { contextOf } from './context.ts'

/** The routes of a scope that name actions. */
export interface ActionRoutes {
  /** Throws RegistrationError if a route names an action that does not exist. Called when all actions are known. */
  check(): void
}

/** Adds policies to routes of a scope and its children, also to those that are added before the actions are known. */
export function addPolicies(scope: FastifyInstance, kernel: Kernel): ActionRoutes {
  const early = new Set<string>()
  const own = new WeakSet<object>()
  let isOpen = false
  scope.addHook('onRoute', route => {
    const action = route.config?.action
    // Fastify makes a route for HEAD of each one for GET, with the same functions.
    if (action === undefined || handlersOf(route).some(one => own.has(one))) return
    if (isOpen) kernel.actions.require(action)
    else early.add(action)
    if (isOpen && kernel.policies.of(action) === null) return
    const handler = policyHandler(kernel, action)
    own.add(handler)
    route.preHandler = [handler, ...handlersOf(route)] as typeof route.preHandler
  })
  return {
    check() {
      for (const action of early) kernel.actions.require(action)
      isOpen = true
    },
  }
}

function handlersOf({ preHandler = [] }: RouteOptions): readonly object[] {
  return Array.isArray(preHandler) ? preHandler : [preHandler]
}

function policyHandler(kernel: Kernel, action: string): preHandlerAsyncHookHandler {
  return async request => {
    const run = kernel.policies.of(action)
    if (run === null) return
    const caller = await contextOf(request)
    kernel.authorize(action, caller)
    await runPolicies(run, action, request, caller)
  }
}

async function runPolicies(run: PolicyRun, action: string, request: FastifyRequest, caller: Context): Promise<void> {
  const { query } = request
  const before = JSON.stringify(query)
  await run(policyContextOf(action, request, caller))
  // Transports read the text of the query string, so such a change would silently not restrict anything.
  if (request.query !== query || JSON.stringify(query) !== before)
    throw new UsageError(
      'PLINTH_POLICY_INVALID',
      `A policy of ${action} changes request.query, which has no effect; refuse the request instead`,
    )
}

/** The first argument of policies, as v4 gives it to them (B-13.48). */
function policyContextOf(action: string, request: FastifyRequest, caller: Context): PolicyContext {
  const { state, access } = caller
  if (access.user !== null && access.user !== undefined) state.user ??= access.user
  return {
    type: 'koa',
    is: type => type === 'koa',
    action,
    caller,
    state,
    params: request.params as Record<string, string>,
    request: withHeader(request),
  }
}

/** The request itself, with `header` as Koa calls its headers: what a policy sets on it reaches the handler. */
function withHeader(request: FastifyRequest): PolicyContext['request'] {
  return new Proxy(request, {
    // Fastify's getters need the request itself as `this`.
    get: (target, key) => (key === 'header' ? target.headers : Reflect.get(target, key)),
    set: (target, key, value) => Reflect.set(target, key, value),
  }) as PolicyContext['request']
}
