// Declares what an extension consists of (service.md, Customizing the GraphQL schema).

import type { Kernel, PolicyUse } from '@plinth/kernel'
import type * as graphql from 'graphql'

/** A resolver as extensions write it. */
export type Resolver = graphql.GraphQLFieldResolver<never, never>

/** Code around a resolver: it may change the arguments and the result. */
export type Middleware = (
  next: (
    parent?: unknown,
    args?: Record<string, unknown>,
    context?: unknown,
    info?: graphql.GraphQLResolveInfo,
  ) => unknown,
  parent: unknown,
  args: Record<string, unknown>,
  context: unknown,
  info: graphql.GraphQLResolveInfo,
) => unknown

/** Makes a middleware for one use of its name, with the options of that use. */
export type MiddlewareFactory = (options: never, tools: { readonly kernel: Kernel }) => Middleware

/** The settings of one resolver, under its name: `Query.articles`. */
export interface ResolverConfig {
  /**
   * The listed action that a field of an extension does. The right to it is needed unless `auth` says otherwise, and its
   * policies run before those of the field. A generated field of the root does the action of its type.
   */
  readonly action?: string
  /** False: no right is needed. A scope: these rights are needed instead of the usual one. */
  readonly auth?: boolean | { readonly scope?: readonly string[] }
  readonly policies?: readonly PolicyUse[]
  readonly middlewares?: readonly (Middleware | string | { readonly name: string; readonly options?: unknown })[]
}

/** An extension of the schema. */
export interface Extension {
  /** Types of graphql-js or nexus. */
  readonly types?: readonly unknown[]
  /** Types in the schema language; `extend type Query` adds queries. */
  readonly typeDefs?: string | readonly string[]
  /** Plugins of nexus. */
  readonly plugins?: readonly unknown[]
  /** Resolvers by type and field. */
  readonly resolvers?: Readonly<Record<string, object>>
  readonly resolversConfig?: Readonly<Record<string, ResolverConfig>>
  /**
   * More arguments of generated fields of the root, by `<type>.<field>`. Hooks of `graphql:write` receive their values. A
   * field whose resolver an extension replaces does not get them, because nobody would read them.
   */
  readonly args?: Readonly<Record<string, graphql.GraphQLFieldConfigArgumentMap>>
}

/** The argument of functions that make extensions. */
export interface ExtensionTools {
  readonly kernel: Kernel
  /** graphql-js, in the version of the server. */
  readonly graphql: typeof graphql
  /** The generated schema, for types of graphql-js that refer to its types. */
  readonly schema: graphql.GraphQLSchema
  /** The name of the generated type of a content type or component; null if the schema does not show it. */
  typeName(uid: string): string | null
  /** Nexus, which is loaded when this is first read; throws a StartError if it is not installed. */
  readonly nexus: unknown
}

/** Makes an extension when the schema is built. */
export type ExtensionSource = (tools: ExtensionTools) => Extension
