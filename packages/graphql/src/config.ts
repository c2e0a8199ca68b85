// Declares the options of the plugin (`graphql.config`), and converts them to the settings that the rest of the package
// reads. B-9.15 to B-9.24, service.md.

import { type Static, Type } from '@plinth/kernel'
import type { ValidationRule } from 'graphql'
import { elsewhere, withoutEffect } from './options.ts'

const limit = (fallback: number, description: string) => Type.Integer({ minimum: 1, default: fallback, description })

/** The options of the variables of one request. */
const variablesSchema = Type.Object(
  {
    values: limit(20_000, 'Values, those in other values included.'),
    depth: limit(64, 'Levels of lists and objects.'),
    bytes: limit(1024 * 1024, 'Bytes of texts and names.'),
  },
  {
    additionalProperties: false,
    default: {},
    description: 'The variables of a request. The operations of a batch share them.',
  },
)

/** The options of one operation's size. */
const limitsSchema = Type.Object(
  {
    text: limit(64 * 1024, 'Bytes of the text of an operation.'),
    tokens: limit(2000, 'Tokens of the text.'),
    fields: limit(1000, 'Fields, each as often as fragments repeat it.'),
    roots: limit(50, 'Fields of the root.'),
    depth: limit(15, 'Levels of selections.'),
    batch: limit(10, 'Operations of a batch. All of them share one budget of fields and rows.'),
    variables: variablesSchema,
  },
  { additionalProperties: false, default: {}, description: 'The limits of the operations of a request.' },
)

/** Of options of v4 that are accepted and have no effect. */
const withoutEffectHere = 'An option of v4 without an effect: no files are generated.'

const anything = (names: readonly string[]) =>
  Object.fromEntries(
    names.map(name => [name, Type.Optional(Type.Unknown({ description: "An option of v4's server library." }))]),
  )

export const configSchema = Type.Object(
  {
    endpoint: Type.String({
      default: '/graphql',
      pattern: '^/[A-Za-z0-9/._~-]*$',
      expected: 'a path that begins with "/", such as "/graphql"',
      description: 'The path of the endpoint and of the explorer.',
    }),
    shadowCRUD: Type.Boolean({
      default: true,
      description: 'True if types and operations are generated from the content types.',
    }),
    playgroundAlways: Type.Boolean({
      default: false,
      description: 'True if the explorer is served in production too.',
    }),
    amountLimit: limit(100, 'The maximum number of items of a list, at every level.'),
    defaultLimit: Type.Union([Type.Literal(-1), Type.Integer({ minimum: 1 })], {
      default: 10,
      description: 'The number of items of a list whose pagination names none; -1: the maximum, as v4 has it then.',
    }),
    maxLimit: Type.Integer({
      minimum: -1,
      default: -1,
      description: 'A lower maximum number of items; -1: none.',
    }),
    depthLimit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The maximum depth of an operation, as v4 counts it: below the root, without introspection.',
      }),
    ),
    limits: limitsSchema,
    serverOptions: Type.Unsafe<ServerOptions>(Type.Object({}, { default: {}, description: 'Options of mercurius.' })),
    apolloServer: Type.Object(
      {
        introspection: Type.Optional(
          Type.Boolean({ description: 'True if introspection is allowed; by default outside of production.' }),
        ),
        csrfPrevention: Type.Optional(
          Type.Boolean({
            description:
              'True if a multipart request needs a header that pages of other origins cannot send without a preflight request.',
          }),
        ),
        // Checked in options.ts.
        ...anything([...withoutEffect, ...Object.keys(elsewhere)]),
      },
      {
        additionalProperties: false,
        default: {},
        description: "The options of v4's server library that have a meaning here.",
      },
    ),
    subscriptions: Type.Optional(Type.Unknown({ description: 'An option of v4, which has no subscriptions.' })),
    federation: Type.Optional(Type.Boolean({ description: withoutEffectHere })),
    generateArtifacts: Type.Optional(Type.Boolean({ description: withoutEffectHere })),
    artifacts: Type.Optional(
      Type.Object(
        {
          schema: Type.Optional(Type.Union([Type.Boolean(), Type.String()], { description: withoutEffectHere })),
          typegen: Type.Optional(Type.Union([Type.Boolean(), Type.String()], { description: withoutEffectHere })),
        },
        { additionalProperties: false, description: withoutEffectHere },
      ),
    ),
  },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>

/** mercurius's interface of a store of queries. Its functions receive requests as they were sent. */
export interface PersistedQueryProvider {
  isPersistedQuery(request: object): unknown
  getHash(request: object): unknown
  getQueryFromHash(hash: string): unknown
  /** Returns whether the request sends a text together with its hash, to have it stored. */
  isPersistedQueryRetry?(request: object): unknown
  getHashForQuery?(query: string): unknown
  saveQuery?(hash: string, query: string): unknown
  readonly notFoundError?: string
  readonly notSupportedError?: string
  readonly mismatchError?: string
}

/** The options of mercurius that this package reads itself; all others reach mercurius as they are. */
export interface ServerOptions extends Readonly<Record<string, unknown>> {
  readonly persistedQueryProvider?: PersistedQueryProvider
  readonly persistedQueries?: Readonly<Record<string, string>>
  readonly onlyPersisted?: boolean
  readonly validationRules?: readonly ValidationRule[]
  readonly additionalRouteOptions?: { readonly config?: object }
}

/** The limits of one request's operations. */
export type OperationLimits = Config['limits']

/** The limits of one request's variables. */
export type VariableLimits = OperationLimits['variables']

/** The options as the package uses them. */
export interface Settings extends Pick<Config, 'endpoint' | 'shadowCRUD' | 'defaultLimit' | 'depthLimit' | 'limits'> {
  readonly serverOptions: ServerOptions
  /** The maximum number of items of a list: the lower one of `amountLimit` and `maxLimit`. */
  readonly cap: number
  readonly isProduction: boolean
  readonly introspection: boolean
  /** True if multipart requests need a header that pages of other origins cannot send without a preflight request. */
  readonly csrfPrevention: boolean
  /** True if browsers that open the endpoint are shown the explorer. */
  readonly explorer: boolean
}

/** The settings of a configuration; `isProduction` decides what is on by default. */
export function resolveSettings(config: Config, isProduction: boolean): Settings {
  const { endpoint, shadowCRUD, defaultLimit, depthLimit, limits, apolloServer, maxLimit, amountLimit } = config
  const cap = maxLimit === -1 ? amountLimit : Math.max(1, Math.min(amountLimit, maxLimit))
  return {
    endpoint,
    shadowCRUD,
    defaultLimit: defaultLimit === -1 ? cap : defaultLimit,
    depthLimit,
    limits,
    serverOptions: config.serverOptions,
    cap,
    isProduction,
    introspection: apolloServer.introspection ?? !isProduction,
    csrfPrevention: apolloServer.csrfPrevention ?? true,
    explorer: config.playgroundAlways || !isProduction,
  }
}
