// Builds the schema and everything that answers operations, and adds the endpoint to the server. Imported only if there
// is a server: loading mercurius takes a tenth of a second.

import { type Kernel, UnavailableError } from '@plinth/kernel'
import { pauseAfterRefusal } from '@plinth/server/transport'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import mercurius from 'mercurius'
import { inOrder } from './answer/error-order.ts'
import type { PersistedQueryProvider, ServerOptions, Settings } from './config.ts'
import type { GraphqlContext } from './execution/context.ts'
import { type Execute, Executor } from './execution/executor.ts'
import { type GraphqlFunction, graphqlInCode } from './execution/in-code.ts'
import { PreparedOperations } from './execution/prepared.ts'
import { buildSchema } from './extension/build.ts'
import type { ExtensionService } from './extension/service.ts'
import { Documents } from './operation/documents.ts'
import { answeredError, causeOf, reasonsOf } from './operation/errors.ts'
import type { Operation } from './operation/operation.ts'
import { PersistedQueries } from './operation/persisted.ts'
import { withoutSecretArguments } from './operation/secret-literals.ts'
import { changeEndpoint, type GraphqlChanges } from './transport/changes.ts'
import { mountEndpoint } from './transport/endpoint.ts'
import { mountExplorer } from './transport/explorer.ts'
import { welcomeOf } from './transport/welcome.ts'

/** The function of mercurius that executes operations. */
interface Graphql {
  (source: Operation['document'], context: object, variables: object): ReturnType<Execute>
  addHook(name: string, hook: unknown): void
}

/** Maximum number of operations that mercurius need not validate again. */
const maxExecuted = 200

/** The parts of which an endpoint is made. */
export interface MountTools {
  readonly kernel: Kernel
  readonly settings: Settings
  readonly extension: ExtensionService
  /** The plugin that lets clients subscribe to changes, if there is one. */
  readonly changes?: GraphqlChanges | null
  /** True if all operations are executed, as if mercurius had a hook; for tests. */
  readonly isExecuted?: boolean
}

/** An endpoint. */
export interface Endpoint {
  readonly executor: Executor
  readonly graphql: GraphqlFunction
}

/** Adds the endpoint to a scope of the server. */
export async function mountGraphql(app: FastifyInstance, tools: MountTools): Promise<Endpoint> {
  const { kernel, settings, extension, isExecuted = false } = tools
  const serveChanges = tools.changes?.close() ?? null
  const schema = await buildSchema(kernel, extension, { ...settings, hasSubscriptions: serveChanges !== null })
  const { serverOptions, limits } = settings
  const documents = new Documents(schema, {
    limits,
    own: serverOptions.validationRules ?? [],
    depthLimit: settings.depthLimit,
    introspection: settings.introspection,
    suggestions: !settings.isProduction,
  })
  const prepared = new PreparedOperations()
  const persisted = new PersistedQueries(providerOf(serverOptions), error =>
    kernel.log.error(error, 'GraphQL: a query could not be stored'),
  )
  let executor: Executor | null = null
  let addHook: GraphqlFunction['addHook'] = () => {}
  await app.register(async scope => {
    await scope.register(mercurius, {
      cache: maxExecuted,
      ...serverOptions,
      // A compiled function could neither wait for own attributes of objects nor catch their errors.
      jit: 0,
      schema,
      routes: false,
      errorFormatter: (
        { data = null, errors = [] }: { data?: unknown; errors?: readonly never[] },
        { caller, koaContext }: GraphqlContext,
      ) => {
        const ordered = inOrder(errors, data)
        const causes = ordered.map(causeOf)
        const { onRemark } = kernel.hooks
        if (onRemark !== null) for (const reason of reasonsOf(causes)) onRemark(reason, caller)
        const refused = causes.find(one => one instanceof UnavailableError)
        if (refused !== undefined) {
          kernel.readiness.countRefused(refused)
          // An operation that code runs may have no request.
          if (koaContext) pauseAfterRefusal(koaContext as FastifyRequest, refused)
        }
        const answered = ordered.map(one =>
          answeredError(withoutSecretArguments(one, schema), error => kernel.log.error(error, 'GraphQL')),
        )
        return { statusCode: 200, response: { data, errors: answered } }
      },
    } as never)
    const graphql = (scope as unknown as { readonly graphql: Graphql }).graphql
    // The document has this operation alone, so no name is needed.
    const execute: Execute = (operation, context, variables) => graphql(operation.document, { ...context }, variables)
    const { defaultLimit, cap } = settings
    const rules = { defaultLimit, cap, types: kernel.contentTypes }
    executor = new Executor({
      kernel,
      rules,
      documents,
      prepared,
      persisted,
      limits,
      execute,
      // A transformed schema is known to mercurius alone.
      hasHooks: isExecuted || serverOptions.schemaTransforms !== undefined ? () => true : hookCount(graphql),
    })
    addHook = (name, hook) => graphql.addHook(name, hook)
    const sendExplorer = settings.explorer ? mountExplorer(scope, settings.endpoint, welcomeOf(schema, kernel)) : null
    const files = kernel.services.find('graphql', 'files')
    mountEndpoint(scope, { kernel, settings, executor, prepared, sendExplorer, files })
    await serveChanges?.(changeEndpoint(scope, { kernel, schema, executor, settings }))
  })
  return { executor: executor!, graphql: graphqlInCode(kernel, executor!, addHook) }
}

/** The store of persisted queries that mercurius would have with these options. */
function providerOf({
  persistedQueryProvider,
  persistedQueries,
  onlyPersisted = false,
}: ServerOptions): PersistedQueryProvider | null {
  if (persistedQueries === undefined) return persistedQueryProvider ?? null
  const { prepared, preparedOnly } = mercurius.persistedQueryDefaults
  return (onlyPersisted ? preparedOnly : prepared)({ ...persistedQueries })
}

/** Watches for hooks of mercurius, which expect to see every operation. */
function hookCount(graphql: Graphql): () => boolean {
  let count = 0
  const { addHook } = graphql
  graphql.addHook = function (name, hook) {
    count++
    addHook.call(this, name, hook)
  }
  return () => count > 0
}
