// Builds the schema and everything that answers operations, and adds the endpoint to the server. Imported only if there
// is a server: loading mercurius takes a tenth of a second.

import type { Kernel } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import mercurius from 'mercurius'
import { inOrder } from './answer/error-order.ts'
import type { ServerOptions, Settings } from './config.ts'
import { Compilations } from './execution/compilations.ts'
import type { GraphqlContext } from './execution/context.ts'
import { type Execute, Executor } from './execution/executor.ts'
import { type GraphqlFunction, graphqlInCode } from './execution/in-code.ts'
import { PreparedOperations } from './execution/prepared.ts'
import { buildSchema } from './extension/build.ts'
import type { ExtensionService } from './extension/service.ts'
import type { Operation } from './operation/operation.ts'
import { Documents } from './operation/documents.ts'
import type { Commits } from './subscriptions/commits.ts'
import { mountEndpoint } from './transport/endpoint.ts'
import { answeredError } from './transport/errors.ts'
import { mountExplorer } from './transport/explorer.ts'
import { PersistedQueries, type PersistedQueryProvider } from './transport/persisted.ts'

/** What mercurius is called with. */
interface Graphql {
  (source: Operation['document'], context: object, variables: object): ReturnType<Execute>
  addHook(name: string, hook: unknown): void
}

/** So many operations that are executed stay compiled. */
const keptDocuments = 200

/** Most applications have no subscriptions, and need not load them. */
const loadSubscriptions = () => import('./subscriptions/mount.ts')

/** What an endpoint is made of. */
export interface MountTools {
  readonly kernel: Kernel
  readonly settings: Settings
  readonly extension: ExtensionService
  /** The committed writes, if there are subscriptions. */
  readonly commits?: Commits | null
  /** Whether all operations are executed, as if mercurius had a hook; for tests. */
  readonly isExecuted?: boolean
  /** Which executed operations are compiled; for tests. */
  readonly compilations?: Compilations
}

/** An endpoint. */
export interface Mounted {
  readonly executor: Executor
  readonly graphql: GraphqlFunction
}

/** Adds the endpoint to a scope of the server. */
export async function mountGraphql(app: FastifyInstance, tools: MountTools): Promise<Mounted> {
  const { kernel, settings, extension, commits = null, isExecuted = false, compilations = new Compilations() } = tools
  const schema = await buildSchema(kernel, extension, settings)
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
      jit: 1,
      cache: keptDocuments,
      ...serverOptions,
      schema,
      routes: false,
      errorFormatter: (execution: { data?: unknown; errors?: readonly never[] }) => ({
        statusCode: 200,
        response: {
          data: execution.data ?? null,
          errors: inOrder(execution.errors ?? [], execution.data).map(one =>
            answeredError(one, error => kernel.log.error(error, 'GraphQL')),
          ),
        },
      }),
    } as never)
    const graphql = (scope as unknown as { readonly graphql: Graphql }).graphql
    graphql.addHook('preExecution', async (_schema: unknown, document: object, context: GraphqlContext) =>
      // mercurius does not use a compiled function for a document that a hook returns.
      context.isPlain || !compilations.allows(document) ? { document } : null,
    )
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
      hasHooks: isExecuted ? () => true : hookCount(graphql),
    })
    addHook = (name, hook) => graphql.addHook(name, hook)
    const sendExplorer = settings.explorer ? mountExplorer(scope, settings.endpoint) : null
    const files = kernel.services.find('graphql', 'files')
    mountEndpoint(scope, { kernel, settings, executor, prepared, sendExplorer, files })
    const { subscriptions } = settings
    if (subscriptions === null || commits === null) return
    const { mountSubscriptions } = await loadSubscriptions()
    mountSubscriptions(scope, { kernel, settings, subscriptions, executor, commits })
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
