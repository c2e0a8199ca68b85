// Translates the options of v4's provider `aws-s3` to those of this one, so that a configuration of v4 keeps its meaning.

import type { CannedAcl, CredentialOption, S3Options } from './options.ts'

/** The options under their own names. */
export interface OwnOptions
  extends Omit<S3Options, 'rootPath' | 's3Options' | 'params' | 's3ForcePathStyle' | 'signatureVersion' | 'acl'> {
  readonly acl?: CannedAcl | null | undefined
}

/** A name of its own wins over v4's, and one beside `s3Options` over one in it, as in v4. */
export function ownOptions({ rootPath, s3Options = {}, ...options }: S3Options): OwnOptions {
  const client = { ...s3Options, ...options }
  const { params, s3ForcePathStyle, signatureVersion, accessKeyId, secretAccessKey, sessionToken, ...own } = client
  return {
    ...own,
    bucket: own.bucket ?? params?.Bucket,
    acl: own.acl ?? (params === undefined ? undefined : aclOf(params)),
    cacheControl: own.cacheControl ?? params?.CacheControl,
    prefix: own.prefix ?? rootPath,
    forcePathStyle: own.forcePathStyle ?? s3ForcePathStyle,
    credentials: own.credentials ?? credentialsOf({ accessKeyId, secretAccessKey, sessionToken }),
  }
}

/** v4 makes objects public unless its options say otherwise. */
function aclOf(params: NonNullable<S3Options['params']>): CannedAcl | null {
  return params.ACL === undefined ? 'public-read' : params.ACL
}

type Keys = Readonly<Record<'accessKeyId' | 'secretAccessKey' | 'sessionToken', string | undefined>>

/** Undefined if there is no key at all. One key without the other is a fault, which settings.ts names. */
function credentialsOf(keys: Keys): CredentialOption | undefined {
  return Object.values(keys).every(one => one === undefined) ? undefined : keys
}
