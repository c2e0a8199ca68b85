// Declares the options of the plugin (`graphql.config`), and converts them to the settings that the rest of the package
// reads. B-9.15 to B-9.24, service.md.

import { type Static, Type } from '@plinth/kernel'
import type { ValidationRule } from 'graphql'
import { elsewhere, withoutEffect } from './options.ts'

const limit = (fallback: number) => Type.Integer({ minimum: 1, default: fallback })

/** The options of the variables of one request. */
const variablesSchema = Type.Object(
  {
    /** Values, those in other values included. */
    values: limit(20_000),
    /** Levels of lists and objects. */
    depth: limit(64),
    /** Bytes of texts and names. */
    bytes: limit(1024 * 1024),
  },
  { additionalProperties: false, default: {} },
)

/** The options of one operation's size. */
const limitsSchema = Type.Object(
  {
    /** Bytes of the text of an operation. */
    text: limit(64 * 1024),
    /** Tokens of the text. */
    tokens: limit(2000),
    /** Fields, each as often as fragments repeat it. */
    fields: limit(1000),
    /** Fields of the root. */
    roots: limit(50),
    /** Levels of selections. */
    depth: limit(15),
    /** Operations of a batch. All of them share one budget of fields and rows. */
    batch: limit(10),
    /** The variables of a request. The operations of a batch share them. */
    variables: variablesSchema,
  },
  { additionalProperties: false, default: {} },
)

const anything = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, Type.Optional(Type.Unknown())]))

export const configSchema = Type.Object(
  {
    /** The path of the endpoint and of the explorer. */
    endpoint: Type.String({
      default: '/graphql',
      pattern: '^/[A-Za-z0-9/._~-]*$',
      expected: 'a path that begins with "/", such as "/graphql"',
    }),
    /** True if types and operations are generated from the content types. */
    shadowCRUD: Type.Boolean({ default: true }),
    /** True if the explorer is served in production too. */
    playgroundAlways: Type.Boolean({ default: false }),
    /** The maximum number of items of a list, at every level (service.md, Limits). */
    amountLimit: limit(100),
    /** The number of items of a list whose pagination names none; -1: the maximum, as v4 has it then. */
    defaultLimit: Type.Union([Type.Literal(-1), Type.Integer({ minimum: 1 })], { default: 10 }),
    /** A lower maximum number of items; -1: none (B-9.18). */
    maxLimit: Type.Integer({ minimum: -1, default: -1 }),
    /** The maximum depth of an operation, as v4 counts it: below the root, without introspection (B-9.19). */
    depthLimit: Type.Optional(Type.Integer({ minimum: 1 })),
    limits: limitsSchema,
    /** Options of mercurius. */
    serverOptions: Type.Unsafe<ServerOptions>(Type.Object({}, { default: {} })),
    /** The options of v4's server library that have a meaning here. */
    apolloServer: Type.Object(
      {
        introspection: Type.Optional(Type.Boolean()),
        /**
         * True if a multipart request needs a header that pages of other origins cannot send without a preflight
         * request.
         */
        csrfPrevention: Type.Optional(Type.Boolean()),
        // Judged in options.ts.
        ...anything([...withoutEffect, ...Object.keys(elsewhere)]),
      },
      { additionalProperties: false, default: {} },
    ),
    /** An option of v4, which has no subscriptions (B-9.13). Judged in options.ts. */
    subscriptions: Type.Optional(Type.Unknown()),
    /** Options of v4 without an effect: it generates no files (B-9.22). */
    federation: Type.Optional(Type.Boolean()),
    generateArtifacts: Type.Optional(Type.Boolean()),
    artifacts: Type.Optional(
      Type.Object(
        {
          schema: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
          typegen: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
        },
        { additionalProperties: false },
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
