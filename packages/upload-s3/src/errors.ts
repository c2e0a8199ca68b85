// Turns errors of the SDK into errors that say which option to change. The SDK's own errors repeat the request, with the
// access key in it, so they are not passed on, not even as a cause.

import { type ErrorCode, UnavailableError } from '@plinth/kernel'
import type { Settings } from './settings.ts'

/** The storage refused a request, or has no such file. */
export class StorageError extends Error {
  /** `ENOENT` if there is no such file, as for a file on the disk. */
  readonly code: ErrorCode | 'ENOENT'
  /** The storage's own code, such as `NoSuchKey`, or that of the connection, such as `ECONNREFUSED`. */
  readonly reason: string

  constructor(message: string, reason: string) {
    super(message)
    this.name = 'StorageError'
    this.code = reason === 'NoSuchKey' ? 'ENOENT' : 'PLINTH_UPLOAD_STORAGE'
    this.reason = reason
  }
}

/** The members of errors of the SDK that are read here. */
interface SdkError {
  readonly name?: string
  readonly code?: unknown
  readonly message?: string
  readonly Region?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** A request, as messages name it. */
export interface StorageRequest {
  /** Such as `PutObject`. */
  readonly operation: string
  readonly name: string
}

type Explain = (settings: Settings, error: SdkError) => string

/** By the storage's code: what is wrong, and which option it is about. */
const explanations: Readonly<Record<string, Explain>> = {
  InvalidAccessKeyId: () => 'the storage does not know the access key of credentials.accessKeyId',
  SignatureDoesNotMatch: () =>
    'credentials.secretAccessKey is not the secret of credentials.accessKeyId, or a proxy changes the requests',
  CredentialsProviderError: () =>
    'there are no credentials: set credentials, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ExpiredToken: () => 'credentials.sessionToken has expired',
  InvalidToken: () => 'credentials.sessionToken is not valid',
  NoSuchBucket: ({ bucket }) => `there is no bucket "${bucket}" (option bucket)`,
  InvalidBucketName: ({ bucket }) => `"${bucket}" is not a bucket name (option bucket)`,
  PermanentRedirect: wrongRegion,
  AuthorizationHeaderMalformed: wrongRegion,
  IllegalLocationConstraintException: wrongRegion,
  AccessControlListNotSupported: ({ acl }) => `the bucket takes no rights of objects, but acl is "${acl}": remove it`,
  AccessDenied: () => 'the account of credentials has no right to it',
  Forbidden: () => 'the account of credentials has no right to it',
  NoSuchKey: () => 'there is no such file',
  RequestTimeTooSkewed: () => 'the clock of this machine is wrong',
  ENOTFOUND: unreachable,
  ECONNREFUSED: unreachable,
}

function wrongRegion({ region }: Settings, { Region }: SdkError): string {
  const right = typeof Region === 'string' ? `; it is in "${Region}"` : ''
  return `the bucket is not in region "${region}" (option region)${right}`
}

function unreachable({ endpoint, region }: Settings): string {
  return endpoint === null
    ? `the storage of region "${region}" cannot be reached (option region)`
    : `${endpoint.origin} cannot be reached (option endpoint)`
}

/** Errors of connections, beside which the storage's 5xx and 429 count as temporary. */
const temporary =
  /^(?:TimeoutError|RequestTimeout|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|SlowDown)$/

/**
 * The error for the caller: an UnavailableError (503) if the storage is busy or cannot be reached, otherwise a
 * StorageError. An UnavailableError has the StorageError as its cause.
 */
export function explained(thrown: unknown, { operation, name }: StorageRequest, settings: Settings): Error {
  if (thrown instanceof StorageError || thrown instanceof UnavailableError) return thrown
  const error = thrown as SdkError
  const reason = typeof error.code === 'string' && error.code !== '' ? error.code : (error.name ?? 'Error')
  const why = explanations[reason]?.(settings, error) ?? error.message ?? ''
  const where = `S3 bucket "${settings.bucket}": ${operation} of ${JSON.stringify(name)} failed`
  const storageError = new StorageError(`${where}: ${why} (${reason})`, reason)
  const status = error.$metadata?.httpStatusCode ?? 0
  const isTemporary = status >= 500 || status === 429 || temporary.test(reason)
  return isTemporary ? new UnavailableError(undefined, { cause: storageError }) : storageError
}

/** The storage's code of an error of `explained`, or null. */
export function reasonOf(error: unknown): string | null {
  const cause = error instanceof UnavailableError ? error.cause : error
  return cause instanceof StorageError ? cause.reason : null
}
