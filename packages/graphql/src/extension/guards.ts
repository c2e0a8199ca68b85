// Puts what `resolversConfig` says around resolvers, in the order auth, middlewares, policies, resolver (B-9.100 to
// B-9.103), and the policies of the action that a field does between auth and middlewares, as routes have them. It knows
// what a caller may do only by asking the kernel.

import { type Context, ForbiddenError, type Kernel, UnauthorizedError } from '@plinth/kernel'
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql'
import type { GraphqlContext } from '../execution/context.ts'
import type { RootMeaning } from '../operation/selection.ts'
import { actionOf, meaningOfField } from '../schema/meaning.ts'
import { authorized, checked, isWrapped, wrapped } from '../schema/wrapped.ts'
import type { Middleware, ResolverConfig } from './extension.ts'
import { extensionFault, unknownName } from './fault.ts'
import type { MiddlewareSet } from './middlewares.ts'
import { type Check, checkPolicies, policiesOf } from './policies.ts'

type AnyResolver = GraphQLFieldResolver<unknown, unknown>
type Field = GraphQLField<unknown, unknown>

/** The tools with which guards are made. */
export interface GuardTools {
  readonly kernel: Kernel
  readonly middlewares: MiddlewareSet
}

/** Guards the fields of a schema, in place. Throws StartError for settings that do not fit the schema. */
export async function guardFields(
  schema: GraphQLSchema,
  configs: Readonly<Record<string, ResolverConfig>>,
  tools: GuardTools,
): Promise<void> {
  const { kernel } = tools
  for (const [path, config] of Object.entries(configs)) {
    const { field, isRoot } = findField(schema, path)
    await guard(field, { path, config, isRoot }, tools)
  }
  for (const type of rootTypes(schema))
    for (const field of Object.values(type.getFields())) {
      const path = `${type.name}.${field.name}`
      const config = configs[path]
      if (meaningOfField(field) !== null) {
        if (config === undefined && policiesOf(field, {}, kernel) !== null)
          await guard(field, { path, config: {}, isRoot: true }, tools)
      } else if (config?.auth === undefined && config?.action === undefined) around(field, requireCaller(kernel))
    }
}

function rootTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  return types.filter(one => one !== null && one !== undefined)
}

interface FoundField {
  readonly field: Field
  readonly isRoot: boolean
}

/** Finds the field that `<type>.<field>` names. Throws StartError, which begins with the key that has the name. */
export function findField(schema: GraphQLSchema, path: string, key = 'resolversConfig'): FoundField {
  const at = path.indexOf('.')
  const typeName = at === -1 ? path : path.slice(0, at)
  const type = schema.getType(typeName)
  const types = Object.values(schema.getTypeMap()).filter(one => isObjectType(one) && !one.name.startsWith('__'))
  if (!isObjectType(type))
    throw unknownName(
      `${key}: ${path}`,
      'object type',
      typeName,
      types.map(one => one.name),
    )
  const name = at === -1 ? '' : path.slice(at + 1)
  const field = type.getFields()[name]
  if (field === undefined) throw unknownName(`${key}: ${path}`, 'field', name, Object.keys(type.getFields()))
  return { field, isRoot: rootTypes(schema).includes(type) }
}

interface GuardedField {
  readonly path: string
  readonly config: ResolverConfig
  readonly isRoot: boolean
}

const words = ['action', 'auth', 'policies', 'middlewares']

/** Puts the settings of one field around its resolver, the innermost first. */
async function guard(field: Field, guarded: GuardedField, { kernel, middlewares }: GuardTools): Promise<void> {
  const { path, config, isRoot } = guarded
  const where = `resolversConfig: ${path}`
  for (const word of Object.keys(config)) if (!words.includes(word)) throw unknownName(where, 'setting', word, words)
  const policies = await kernel.policies.prepare(`graphql ${path}`, listOf(config.policies, `${where}: policies`))
  if (policies !== null) around(field, checkPolicies(policies, path))
  const uses = listOf(config.middlewares, `${where}: middlewares`)
  for (const use of [...uses].reverse()) aroundWith(field, middlewares.find(use, where))
  if (config.action !== undefined && !kernel.actions.has(config.action))
    throw unknownName(`${where}: action`, 'action', config.action, kernel.actions.names)
  const ofAction = policiesOf(field, config, kernel)
  if (ofAction !== null) around(field, checkPolicies(ofAction.run, ofAction.action))
  const check = checkOf(guarded, kernel)
  if (check !== null) {
    around(field, check)
    field.extensions = { ...field.extensions, ...authorized }
  } else if (isRoot) {
    // Middlewares and policies run only for callers with the usual right.
    const meaning = meaningOfField(field)
    if (meaning?.kind === 'root') around(field, requireAction(kernel, meaning))
  }
  if (meaningOfField(field) === null) return
  // A resolver of an extension was marked before.
  const isOnlyChecked = isRoot && uses.length === 0 && !isWrapped(field)
  field.extensions = { ...field.extensions, ...wrapped, ...(isOnlyChecked && checked) }
}

function listOf<Item>(list: readonly Item[] | undefined, where: string): readonly Item[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) throw extensionFault(`${where}: must be a list, found ${String(list)}`)
  return list
}

/** The check that `auth` asks for in place of the usual one; null if it is absent. */
function checkOf({ path, config }: GuardedField, kernel: Kernel): Check | null {
  const { auth, action } = config
  if (auth === undefined || auth === true)
    return action === undefined ? null : (_parent, _args, context) => void kernel.authorize(action, callerOf(context))
  if (auth === false) return () => undefined
  const where = `resolversConfig: ${path}: auth`
  if (typeof auth !== 'object' || auth === null)
    throw extensionFault(`${where}: must be false or { scope }, found ${String(auth)}`)
  if (auth.scope === undefined) return requireCaller(kernel)
  const scope = listOf(auth.scope, `${where}.scope`)
  for (const action of scope)
    if (!kernel.actions.has(action)) throw unknownName(`${where}.scope`, 'action', action, kernel.actions.names)
  return (_parent, _args, context) => {
    for (const action of scope) if (!callerOf(context).access.can(action)) throw new ForbiddenError()
    return undefined
  }
}

/** The usual check of a generated field of the root. */
function requireAction(kernel: Kernel, { type, operation }: RootMeaning): Check {
  const action = kernel.actions.of(type.uid, actionOf[operation])
  return (_parent, _args, context) => {
    if (kernel.actions.has(action)) kernel.authorize(action, callerOf(context))
    else if (!callerOf(context).access.can(action)) throw new ForbiddenError()
    return undefined
  }
}

/** The usual check of own fields of the root: the caller must be a user or a token (B-9.78). */
function requireCaller(kernel: Kernel): Check {
  return async (_parent, _args, context) => {
    if (!(await isAuthenticated(kernel, callerOf(context)))) throw new ForbiddenError()
  }
}

/** Returns whether the caller is authenticated: without credentials the caller would have other rights. */
async function isAuthenticated({ auth }: Kernel, { access }: Context): Promise<boolean> {
  if (auth.isOpen || (access.user !== null && access.user !== undefined)) return true
  if (access.key === auth.anonymous.key) return false
  try {
    return access.key !== (await auth.authenticate({ headers: {} })).key
  } catch (error) {
    if (error instanceof UnauthorizedError) return true
    throw error
  }
}

const callerOf = (context: unknown): Context => (context as GraphqlContext).caller

/** Runs a check before a field, and before its subscriptions. */
function around(field: Field, check: Check): void {
  const before =
    (inner: AnyResolver): AnyResolver =>
    (...args) => {
      const waiting = check(...args)
      return waiting === undefined ? inner(...args) : waiting.then(() => inner(...args))
    }
  field.resolve = before(field.resolve ?? defaultFieldResolver)
  if (field.subscribe !== undefined) field.subscribe = before(field.subscribe)
}

/** Puts a middleware around a field. What it does not pass on to `next` stays as it was. */
function aroundWith(field: Field, middleware: Middleware): void {
  const inner = field.resolve ?? defaultFieldResolver
  field.resolve = (parent, args, context, info) => {
    const next = (
      nextParent: unknown = parent,
      nextArgs: Record<string, unknown> = args,
      nextContext: unknown = context,
      nextInfo: GraphQLResolveInfo = info,
    ) => inner(nextParent, nextArgs, nextContext, nextInfo)
    return middleware(next, parent, args, context, info)
  }
}
