// The plugin graphql: a GraphQL endpoint in the dialect of Strapi v4 (B-9), generated from the content types. It works
// with and without the REST API.

import { type ContentType, type Context, definePlugin, type Kernel } from '@plinth/kernel'
import type { GraphQLResolveInfo } from 'graphql'
import { type Registrations, schemaCommands } from './commands.ts'
import { configSchema, resolveSettings } from './config.ts'
import type { GraphqlFunction } from './execution/in-code.ts'
import { type FormatService, formatService } from './extension/format.ts'
import { ExtensionService } from './extension/service.ts'
import { checkOptions } from './options.ts'
import type { RootOperation } from './schema/meaning.ts'
import { GraphqlChanges } from './transport/changes.ts'
import type { GraphqlFiles } from './transport/multipart.ts'

export type { Change } from './execution/change.ts'
export type { GraphqlContext } from './execution/context.ts'
export type { GraphqlFunction, GraphqlOptions, GraphqlResult } from './execution/in-code.ts'
export type { EntryResponse } from './execution/response.ts'
export type {
  Extension,
  ExtensionSource,
  ExtensionTools,
  Middleware,
  MiddlewareFactory,
  ResolverConfig,
} from './extension/extension.ts'
export type { EntityResponse, EntityResponseCollection, FormatService } from './extension/format.ts'
export type { ExtensionService } from './extension/service.ts'
export type { AnsweredError } from './operation/errors.ts'
export type {
  ChangeAnswer,
  ChangeCaller,
  ChangeEndpoint,
  ChangeSubscription,
  GraphqlChanges,
} from './transport/changes.ts'
export type { GraphqlFile, GraphqlFiles, ReceiveFile } from './transport/multipart.ts'

/** A write by GraphQL, before the kernel receives it. */
export interface GraphqlWrite {
  readonly type: ContentType
  readonly action: RootOperation
  /** The data, to which a hook may add. */
  readonly data: Record<string, unknown>
  /** All arguments of the field. */
  readonly args: Readonly<Record<string, unknown>>
  /**
   * Parameters that find the entry that the deletion of a single type deletes, to which a hook may add; those of the
   * query come before them. Other writes do not use them.
   */
  readonly params: Record<string, unknown>
  /** The context of the write; a hook may add values to its `state` for hooks of writes. */
  readonly context: Context
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers operations in code; there when all plugins are mounted, for hooks such as `onReady` and for handlers. */
    graphql: GraphqlFunction
    graphqlExtension: ExtensionService
  }
}

declare module '@plinth/kernel' {
  interface Hooks {
    /** Runs per write by GraphQL, for plugins that give an argument or a missing value a meaning of its own there. */
    'graphql:write'(write: GraphqlWrite): void | Promise<void>
  }
  interface PolicyContext {
    /** The arguments with which the resolver is called, if the transport is GraphQL. */
    readonly parent?: unknown
    readonly args?: Readonly<Record<string, unknown>>
    readonly context?: unknown
    readonly info?: GraphQLResolveInfo
    /** The request, if there is one. */
    readonly http?: unknown
  }

  interface ErrorCodes {
    /** An extension of the GraphQL schema does not fit the schema. The message says where, and names the nearest name. */
    PLINTH_GRAPHQL_EXTENSION: true
    /** The extension service or the service of changes of GraphQL was called after the start, when the schema was built already. */
    PLINTH_GRAPHQL_LATE: true
  }

  interface Services {
    'graphql.extension': ExtensionService
    'graphql.format': FormatService
    /** For the plugin that lets clients subscribe to changes. Without a server it only says that the schema has them. */
    'graphql.changes': GraphqlChanges
    /** Provided by the plugin that takes files. */
    'graphql.files': GraphqlFiles
  }
}

/** Outside of the definition, because the compiler does not rewrite such paths inside of `export default`. */
const loadMount = () => import('./mount.ts')

const registered = new WeakMap<Kernel, Registrations>()

export default definePlugin({
  name: 'graphql',
  config: configSchema,
  commands: { graphql: schemaCommands(kernel => registered.get(kernel)!) },
  register({ kernel, config, app }) {
    checkOptions(config, message => kernel.log.warn(message))
    const extension = new ExtensionService()
    const changes = new GraphqlChanges()
    registered.set(kernel, { extension, changes })
    kernel.hooks.declare('graphql:write')
    kernel.services.provide('graphql', 'extension', extension)
    kernel.services.provide('graphql', 'format', formatService)
    kernel.services.provide('graphql', 'changes', changes)
    if (app === null) return
    app.decorate('graphqlExtension', extension)
    const settings = resolveSettings(config, process.env.NODE_ENV === 'production')
    kernel.hooks.on('onMount', async scope => {
      const { mountGraphql } = await loadMount()
      const { graphql } = await mountGraphql(scope, { kernel, settings, extension, changes })
      // Not before: mercurius decorates its own scope with the same name.
      app.decorate('graphql', graphql)
    })
  },
})

export type { GraphQLResolveInfo, Kernel }
