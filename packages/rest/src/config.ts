// Defines the settings of the REST transport. v4's `config/api` (rest.prefix, rest.defaultLimit, …) supplies those that
// config/plugins leaves out.

import { type AnswerLimits, type Fault, findFaults, StartError, type Static, Type } from '@plinth/kernel'
import { byteSizeSchema, bytesOfSize, type CorsSetting, corsSchema } from '@plinth/server/transport'

/** The options of v4's strapi::body (B-1.47). */
const bodySchema = Type.Object(
  {
    jsonLimit: Type.Optional(byteSizeSchema('The maximum size of a body of JSON, as "1mb" or in bytes.')),
    formLimit: Type.Optional(byteSizeSchema('The maximum size of a body of a form without files.')),
    textLimit: Type.Optional(byteSizeSchema('The maximum size of a body of text.')),
    formidable: Type.Optional(
      Type.Object(
        { maxFileSize: Type.Optional(byteSizeSchema('The maximum size of a file.')) },
        { additionalProperties: false, description: 'Limits of files.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Maximum sizes of bodies, as "1mb" or in bytes.' },
)

/** The levels of populate that a query may have, and the entries above them. */
const maxDepth = 12

export const configSchema = Type.Object(
  {
    prefix: Type.Optional(
      Type.String({
        pattern: '^/[a-z0-9/_-]*$',
        expected: 'a path in lower case that begins with "/", such as "/api"',
        description: 'Path prefix of every route.',
      }),
    ),
    defaultLimit: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Page size if the request does not set one.' }),
    ),
    maxLimit: Type.Optional(
      Type.Integer({ minimum: -1, not: { const: 0 }, description: 'Maximum page size; -1 for no maximum.' }),
    ),
    maxEntries: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Maximum number of entries in an answer, including nested ones.' }),
    ),
    maxBytes: Type.Optional(byteSizeSchema('Maximum size of an answer, as "50mb" or in bytes.')),
    withCount: Type.Optional(
      Type.Boolean({ description: 'True if lists are counted when the request does not say whether they are.' }),
    ),
    entryMeta: Type.Optional(
      Type.Union([Type.Literal('always'), Type.Literal('localized'), Type.Literal('never')], {
        description: 'The entries that have a `meta` of their own: all, those with something in it, or none, as in v4.',
      }),
    ),
    deep: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: maxDepth,
        description:
          'The greatest depth of `populate=deep`, and the one without a number; without it `populate=deep` is refused.',
      }),
    ),
    unknown: Type.Optional(
      Type.Union([Type.Literal('ignore'), Type.Literal('refuse')], {
        description:
          'Names in requests that mean nothing, such as an attribute that does not exist: ignored as in v4, or refused with 400 and the nearest name.',
      }),
    ),
    /** The older place of `cors` of config/server, with the same meaning. */
    cors: Type.Optional(corsSchema),
    body: Type.Optional(bodySchema),
    securityHeaders: Type.Optional(
      Type.Boolean({ description: 'False: no security headers are sent, because a proxy adds them.' }),
    ),
    poweredBy: Type.Optional(
      Type.Union(
        [
          Type.Literal(false),
          Type.String({ pattern: '^[\\x20-\\x7e]+$', expected: 'a text of visible ASCII and blanks' }),
        ],
        {
          description: 'The header X-Powered-By; false omits it.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)

const limitSchema = Type.Optional(Type.Integer({ minimum: 1 }))

/** `rest` of config/api: the same settings, and two that the kernel reads. */
const apiSchema = Type.Object(
  { ...configSchema.properties, maxCost: limitSchema, maxRows: limitSchema },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>

/** Maximum sizes of bodies, in bytes. */
export interface BodyLimits {
  readonly json: number
  readonly form: number
  readonly text: number
  /** Of one file in a multipart body. */
  readonly file: number
}

/** The resolved settings, without gaps. */
export interface Settings {
  readonly prefix: string
  readonly pagination: { readonly defaultLimit: number; readonly maxLimit: number | null; readonly withCount: boolean }
  readonly entryMeta: 'always' | 'localized' | 'never'
  /** The greatest depth of `populate=deep`; null: it is refused. */
  readonly deep: number | null
  /** True if names that mean nothing are refused. */
  readonly refuseUnknown: boolean
  /** The setting and its place; null: that of config/server counts. */
  readonly cors: { readonly setting: CorsSetting; readonly place: string } | null
  readonly limits: BodyLimits
  readonly answers: AnswerLimits
  readonly securityHeaders: boolean
  readonly poweredBy: string | false
}

/**
 * Merges the plugin's settings over those of config/api. Throws StartError if the latter are invalid. Unknown names in
 * config/api only cause a warning, since v4 ignored them.
 */
export function resolveSettings(
  config: Config,
  api: Record<string, unknown> | undefined,
  warn: (message: string) => void,
): Settings {
  const rest = api?.rest ?? {}
  const faults = findFaults(apiSchema, rest)
  const isUnknown = ({ message }: Fault) => message.startsWith('is not known')
  const messagesOf = (some: readonly Fault[]) =>
    some.map(({ path, message }) => `config/api: ${['rest', path].filter(Boolean).join('.')} ${message}`)
  const wrong = faults.filter(fault => !isUnknown(fault))
  if (wrong.length > 0) throw new StartError('PLINTH_CONFIG_INVALID', messagesOf(wrong).join('; '))
  for (const message of messagesOf(faults.filter(isUnknown))) warn(message)
  const { body = {}, ...over } = { ...(rest as Config), ...config }
  const maxLimit = over.maxLimit ?? 100
  return {
    prefix: (over.prefix ?? '/api').replace(/\/$/, ''),
    pagination: {
      defaultLimit: over.defaultLimit ?? 25,
      maxLimit: maxLimit === -1 ? null : maxLimit,
      withCount: over.withCount ?? true,
    },
    entryMeta: over.entryMeta ?? 'always',
    deep: over.deep ?? null,
    refuseUnknown: over.unknown === 'refuse',
    cors: corsOf(config, rest as Config),
    limits: {
      json: bytesOfSize(body.jsonLimit ?? '1mb'),
      form: bytesOfSize(body.formLimit ?? '56kb'),
      text: bytesOfSize(body.textLimit ?? '56kb'),
      file: bytesOfSize(body.formidable?.maxFileSize ?? '200mb'),
    },
    answers: { maxEntries: over.maxEntries ?? 100_000, maxBytes: bytesOfSize(over.maxBytes ?? '50mb') },
    securityHeaders: over.securityHeaders ?? true,
    // v4's value would claim to be v4 (B-1.56).
    poweredBy: over.poweredBy ?? 'Plinth',
  }
}

/** The setting of CORS, with the words of messages for its place. */
function corsOf({ cors }: Config, { cors: corsOfApi }: Config): Settings['cors'] {
  if (cors !== undefined) return { setting: cors, place: 'rest.config.cors of config/plugins' }
  return corsOfApi === undefined ? null : { setting: corsOfApi, place: 'rest.cors of config/api' }
}
