// The settings of the provider: its options, checked and with their defaults.

import { findFaults, PluginConfigError } from '@plinth/kernel'
import type { CannedAcl, CredentialSource, S3Options } from './options.ts'
import { optionsSchema } from './schema.ts'
import { type OwnOptions, ownOptions } from './v4-options.ts'

/** See S3Options for what they mean. */
export interface Settings {
  /** The name in records: with options of v4 that of v4's provider, so that the files of v4's records are found. */
  readonly name: 's3' | 'aws-s3'
  readonly bucket: string
  readonly region: string
  /** Null: AWS. */
  readonly endpoint: URL | null
  readonly forcePathStyle: boolean
  /** Null: the SDK looks for them. */
  readonly credentials: CredentialSource | null
  /** Empty, or it ends with a slash. */
  readonly prefix: string
  /** It ends without a slash. Null: clients find files where the server stores them. */
  readonly baseUrl: string | null
  readonly acl: CannedAcl | null
  readonly cacheControl: string | null
  readonly partSize: number
  readonly parallelParts: number
  readonly connectTimeout: number
  readonly idleTimeout: number
  readonly maxAttempts: number
}

type Variables = Readonly<Record<string, string | undefined>>

/** Throws PluginConfigError with all mistakes. Its message has no value of `credentials`. */
export function resolveSettings(options: S3Options, variables: Variables): Settings {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new PluginConfigError(['upload.config.providerOptions: must be an object'])
  const set = defined(options) as S3Options
  const faults = findFaults(optionsSchema, withoutFunctions(set))
  if (faults.length > 0) throw refusal(faults.map(({ path, message }) => `${path}: ${message}`))
  const own = ownOptions(set)
  const endpoint = own.endpoint === undefined ? null : endpointOf(own.endpoint)
  const region = own.region ?? variables.AWS_REGION ?? variables.AWS_DEFAULT_REGION ?? (endpoint ? 'us-east-1' : '')
  const mistakes = [...mistakesIn(own), ...(region === '' ? ['region: is missing, and so is AWS_REGION'] : [])]
  if (mistakes.length > 0) throw refusal(mistakes)
  return {
    name: set.s3Options === undefined && set.params === undefined ? 's3' : 'aws-s3',
    bucket: own.bucket!,
    region,
    endpoint,
    forcePathStyle: own.forcePathStyle ?? false,
    // With both keys, as the mistakes above show.
    credentials: (own.credentials as CredentialSource | undefined) ?? null,
    prefix: own.prefix ? `${own.prefix.replace(/\/+$/, '')}/` : '',
    baseUrl: own.baseUrl?.replace(/\/+$/, '') ?? null,
    acl: own.acl ?? null,
    cacheControl: own.cacheControl ?? null,
    partSize: own.partSize ?? 5 * 1024 * 1024,
    parallelParts: own.parallelParts ?? 16,
    connectTimeout: own.connectTimeout ?? 5_000,
    idleTimeout: own.idleTimeout ?? 30_000,
    maxAttempts: own.maxAttempts ?? 3,
  }
}

function refusal(mistakes: readonly string[]): PluginConfigError {
  return new PluginConfigError(mistakes.map(one => `upload.config.providerOptions.${one}`))
}

/** Checks what a schema cannot express. */
function mistakesIn({ bucket, endpoint, baseUrl, prefix = '', credentials }: OwnOptions): string[] {
  const mistakes: string[] = []
  if (bucket === undefined) mistakes.push('bucket: is missing (in v4 params.Bucket)')
  else if (!/^[\w.-]+$/.test(bucket)) mistakes.push('bucket: must be a name; a folder in it belongs to prefix')
  if (endpoint !== undefined && endpointOf(endpoint) === null)
    mistakes.push('endpoint: must be a URL such as "https://s3.example.com", without a path')
  if (baseUrl !== undefined && !isWebAddress(baseUrl))
    mistakes.push('baseUrl: must be a URL with http or https, without a query string')
  if (prefix.startsWith('/')) mistakes.push('prefix: must not begin with a slash')
  if (prefix.split('/').some(part => part === '.' || part === '..')) mistakes.push('prefix: must not contain . or ..')
  if (typeof credentials === 'object')
    for (const name of ['accessKeyId', 'secretAccessKey'] as const)
      if (credentials[name] === undefined) mistakes.push(`credentials.${name}: is missing`)
  return mistakes
}

/** The address of a storage; null if it is not an address. Older configurations of v4 name the host only. */
function endpointOf(text: string): URL | null {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' ? url : null
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
}

/** A copy without the members that are undefined, at any depth. */
function defined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, defined(member)]))
}

/** A copy without functions that ask for credentials, which a schema cannot check. */
function withoutFunctions({ credentials, s3Options, ...others }: S3Options): object {
  const isKept = (source: unknown) => source !== undefined && typeof source !== 'function'
  return {
    ...others,
    ...(isKept(credentials) ? { credentials } : {}),
    ...(s3Options === undefined
      ? {}
      : { s3Options: typeof s3Options === 'object' && s3Options !== null ? withoutFunctions(s3Options) : s3Options }),
  }
}
