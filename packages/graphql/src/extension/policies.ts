// Runs policies before fields: those of `resolversConfig`, and those of the action that a field does, which read the
// request as they do before a route.

import type { Kernel, PolicyContext, PolicyRun } from '@plinth/kernel'
import type { GraphQLField, GraphQLFieldResolver } from 'graphql'
import type { GraphqlContext } from '../execution/context.ts'
import { actionOf, meaningOfField } from '../schema/meaning.ts'
import type { ResolverConfig } from './extension.ts'

/** Runs before a resolver, with its arguments. Throws to refuse. */
export type Check = (...args: Parameters<GraphQLFieldResolver<unknown, unknown>>) => Promise<void> | undefined

/** The policies of the action that a field does; null if it does none, or the action has none. */
export function policiesOf(
  field: GraphQLField<unknown, unknown>,
  { action: configuredAction }: ResolverConfig,
  kernel: Kernel,
): { readonly action: string; readonly run: PolicyRun } | null {
  const meaning = meaningOfField(field)
  const generated = meaning?.kind === 'root' ? kernel.actions.of(meaning.type.uid, actionOf[meaning.operation]) : null
  const action = configuredAction ?? generated
  const run = action === null ? null : kernel.policies.of(action)
  return action === null || run === null ? null : { action, run }
}

/** Runs policies. `action` is that of the field, or the name of the field if the policies are its own. */
export function checkPolicies(run: PolicyRun, action: string): Check {
  return (parent, args, context, info) => {
    const { caller, koaContext, state } = context as GraphqlContext
    return run({
      type: 'graphql',
      is: type => type === 'graphql',
      action,
      caller,
      state,
      parent,
      args,
      context,
      info,
      http: koaContext,
      params: typeof args.id === 'string' ? { id: args.id } : {},
      request: requestOf(koaContext, args),
    } as PolicyContext)
  }
}

/**
 * The request as policies of routes read it: with `header`, as Koa calls its headers, and with the data of a mutation as
 * its body. Code that executes an operation has no request, and so no headers.
 */
function requestOf(request: unknown, { data }: Readonly<Record<string, unknown>>): object {
  const target: object = typeof request === 'object' && request !== null ? request : { headers: {} }
  const own: Readonly<Record<PropertyKey, unknown>> = {
    header: Reflect.get(target, 'headers'),
    ...(data !== undefined && { body: { data } }),
  }
  return new Proxy(target, {
    // Fastify's getters need the request itself as `this`.
    get: (_, key) => (key in own ? own[key] : Reflect.get(target, key)),
    set: (_, key, value) => Reflect.set(target, key, value),
  })
}
