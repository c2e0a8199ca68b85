// Settings of the REST door. v4's `config/api` (rest.prefix, rest.defaultLimit, …) gives what config/plugins leaves out.

import { type Static, Type } from '@plinth/kernel'

export const configSchema = Type.Object(
  {
    /** Path before every route. */
    prefix: Type.Optional(Type.String({ pattern: '^/[a-z0-9/_-]*$' })),
    /** Page size where none is asked for. */
    defaultLimit: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Largest page; -1 for none. */
    maxLimit: Type.Optional(Type.Integer({ minimum: -1 })),
    /** Count lists unless asked not to. */
    withCount: Type.Optional(Type.Boolean()),
    /** False sends no CORS headers; a list names the origins that may read. */
    cors: Type.Optional(Type.Union([Type.Boolean(), Type.Object({ origin: Type.Array(Type.String()) })])),
    /** False leaves the security headers to a proxy. */
    securityHeaders: Type.Optional(Type.Boolean()),
    /** The header X-Powered-By; false leaves it away. */
    poweredBy: Type.Optional(Type.Union([Type.Literal(false), Type.String({ pattern: '^[\\x20-\\x7e]+$' })])),
  },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>

/** Settings with everything decided. */
export interface Settings {
  readonly prefix: string
  readonly pagination: { readonly defaultLimit: number; readonly maxLimit: number | null; readonly withCount: boolean }
  readonly cors: NonNullable<Config['cors']>
  readonly securityHeaders: boolean
  readonly poweredBy: string | false
}

/** Lays the plugin's settings over those of config/api. */
export function resolveSettings(config: Config, api: Record<string, unknown> | undefined): Settings {
  const rest = (api?.rest ?? {}) as Config
  const maxLimit = config.maxLimit ?? rest.maxLimit ?? 100
  return {
    prefix: (config.prefix ?? rest.prefix ?? '/api').replace(/\/$/, ''),
    pagination: {
      defaultLimit: config.defaultLimit ?? rest.defaultLimit ?? 25,
      maxLimit: maxLimit === -1 ? null : maxLimit,
      withCount: config.withCount ?? rest.withCount ?? true,
    },
    cors: config.cors ?? true,
    securityHeaders: config.securityHeaders ?? true,
    // v4's value would claim to be v4 (B-1.56).
    poweredBy: config.poweredBy ?? 'Plinth',
  }
}
