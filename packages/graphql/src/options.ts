// Checks options that this package does not read: those of v4 and of mercurius whose place is elsewhere here. Options that
// change nothing a client could notice are allowed with a warning, so that projects of v4 start; others end the start
// with the option to use instead.

import { PluginConfigError } from '@plinth/kernel'

/** Options of `apolloServer` without an effect here; a project of v4 may keep them. */
export const withoutEffect = [
  'bodyParserConfig',
  'cache',
  'cacheControl',
  'cors',
  'debug',
  'documentStore',
  'logger',
  'parseOptions',
  'persistedQueries',
  'playground',
  'stopOnTerminationSignals',
  'tracing',
] as const

/** Options of `apolloServer` that would change answers, and what does that here. */
export const elsewhere = {
  plugins: 'use the option serverOptions of mercurius, or its hooks',
  formatError: 'errors have the format of v4; use the hook onResolution of mercurius',
  formatResponse: 'use the hook onResolution of mercurius',
  validationRules: 'use serverOptions.validationRules',
  context: 'resolvers receive state, koaContext and caller; set values of your own in context.state',
  dataSources: 'use kernel.query in resolvers',
  schema: 'use the extension service',
  schemaDirectives: 'use the extension service',
  typeDefs: 'use the extension service',
  resolvers: 'use the extension service',
  fieldResolver: 'use the extension service',
  rootValue: 'use the extension service',
  mocks: 'use the extension service',
  uploads: 'enable the plugin upload',
} as const

/** Options of mercurius that would not reach it, and what to use. */
const reserved: Readonly<Record<string, string>> = {
  schema: 'use the extension service',
  resolvers: 'use the extension service',
  loaders: 'generated fields need none; use the extension service',
  routes: 'use endpoint',
  path: 'use endpoint',
  prefix: 'use endpoint',
  graphiql: 'use playgroundAlways',
  ide: 'use playgroundAlways',
  queryDepth: 'use depthLimit',
  allowBatchedQueries: 'use limits.batch',
  context: 'resolvers receive state, koaContext and caller; set values of your own in context.state',
  errorHandler: 'errors have the format of v4',
  errorFormatter: 'errors have the format of v4',
}

/** Options of mercurius without an effect: operations are executed as they are, without functions made of them. */
const mercuriusWithoutEffect = ['jit', 'compilerOptions'] as const

/** The options that are checked. */
interface CheckedOptions {
  readonly apolloServer: Readonly<Record<string, unknown>>
  readonly serverOptions: Readonly<Record<string, unknown>>
  readonly subscriptions?: unknown
  readonly federation?: boolean
  readonly generateArtifacts?: boolean
  readonly artifacts?: { readonly schema?: unknown; readonly typegen?: unknown }
}

/** Throws PluginConfigError for options whose place is elsewhere; `warn` receives those that have no effect. */
export function checkOptions(options: CheckedOptions, warn: (message: string) => void): void {
  const { apolloServer, serverOptions, subscriptions = false } = options
  const mistakes = [
    ...Object.entries(elsewhere).flatMap(([name, advice]) =>
      apolloServer[name] === undefined ? [] : [`apolloServer.${name} is not supported: ${advice}`],
    ),
    ...Object.entries(reserved).flatMap(([name, advice]) =>
      serverOptions[name] === undefined ? [] : [`serverOptions.${name} is not supported: ${advice}`],
    ),
  ]
  if (serverOptions.validationRules !== undefined && !Array.isArray(serverOptions.validationRules))
    mistakes.push('serverOptions.validationRules: must be a list, because operations are validated once')
  // `false` is the default of v4.
  if (subscriptions !== false)
    mistakes.push(
      "subscriptions: they are the plugin 'graphql-subscriptions' with options of its own: npm install @plinth/graphql-subscriptions",
    )
  if (mistakes.length > 0) throw new PluginConfigError(mistakes.map(one => `graphql.config.${one}`))
  for (const name of untakenOf(options)) warn(`config/plugins: graphql.config.${name} has no effect`)
}

function untakenOf({
  apolloServer,
  serverOptions,
  federation,
  generateArtifacts,
  artifacts,
}: CheckedOptions): string[] {
  const makesFiles = generateArtifacts !== false
  const flags: Readonly<Record<string, unknown>> = {
    federation,
    'artifacts.schema, ask the endpoint for its schema instead,': makesFiles && artifacts?.schema,
    'artifacts.typegen, ask the endpoint for its schema instead,': makesFiles && artifacts?.typegen,
  }
  return [
    ...Object.keys(flags).filter(name => Boolean(flags[name])),
    // Options that are switched off need no warning: they are off anyway.
    ...withoutEffect.filter(name => Boolean(apolloServer[name])).map(name => `apolloServer.${name}`),
    ...mercuriusWithoutEffect.filter(name => Boolean(serverOptions[name])).map(name => `serverOptions.${name}`),
  ]
}
