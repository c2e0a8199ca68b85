// The options of the provider, as applications write them. schema.ts checks them.

/** The keys of an account of the storage. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary keys. */
  readonly sessionToken?: string
}

/** The keys, or a function that asks for them, such as `fromIni()` of `@aws-sdk/credential-providers`. */
export type CredentialSource = S3Credentials | (() => Promise<S3Credentials>)

/** The same as an option: a key that is undefined is a missing one, which the start refuses. */
export type CredentialOption =
  | { readonly [Name in keyof S3Credentials]?: S3Credentials[Name] | undefined }
  | (() => Promise<S3Credentials>)

/** The rights that S3 predefines for an object. Buckets that AWS has made since 2023 take none unless it is set there. */
export type CannedAcl =
  | 'private'
  | 'public-read'
  | 'public-read-write'
  | 'authenticated-read'
  | 'aws-exec-read'
  | 'bucket-owner-read'
  | 'bucket-owner-full-control'

/** The options that v4's provider `aws-s3` passes to the client of S3: below `s3Options`, or beside it in older configurations. */
export interface V4ClientOptions {
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly sessionToken?: string | undefined
  readonly credentials?: CredentialOption | undefined
  readonly region?: string | undefined
  readonly endpoint?: string | undefined
  readonly forcePathStyle?: boolean | undefined
  readonly s3ForcePathStyle?: boolean | undefined
  readonly signatureVersion?: 'v4' | undefined
  readonly maxAttempts?: number | undefined
  readonly params?:
    | {
        readonly Bucket?: string | undefined
        /** As in v4, `public-read` if it is missing; null sends none. */
        readonly ACL?: CannedAcl | null | undefined
        readonly CacheControl?: string | undefined
        /** Has no effect: v4 signs addresses for its admin panel alone. */
        readonly signedUrlExpires?: number | undefined
      }
    | undefined
}

/** The options of v4's provider `aws-s3`. */
export interface V4Options extends V4ClientOptions {
  readonly rootPath?: string | undefined
  readonly baseUrl?: string | undefined
  readonly s3Options?: V4ClientOptions | undefined
}

/** The options of `s3Provider`. A member that is undefined counts as missing, so `env('NAME')` can be its value. */
export interface S3Options extends V4Options {
  /** The name of the bucket. In v4 `params.Bucket`. */
  readonly bucket?: string | undefined
  /** Such as `eu-central-1`. If missing: AWS_REGION, AWS_DEFAULT_REGION, or `us-east-1` if there is an `endpoint`. */
  readonly region?: string | undefined
  /** The address of a storage that is not AWS, such as `https://minio.example.com`. Without a scheme it is https. */
  readonly endpoint?: string | undefined
  /** True if the bucket is named in the path of addresses and not in the host, as MinIO needs it. Default: false. */
  readonly forcePathStyle?: boolean | undefined
  /** If missing, the SDK looks in environment variables, in its files, and at the role of the machine. */
  readonly credentials?: CredentialOption | undefined
  /** The folder of the files in the bucket, without a slash at its beginning. In v4 `rootPath`. Default: none. */
  readonly prefix?: string | undefined
  /** The address at which clients find the bucket, such as that of a CDN. Prefix and key are added to it. */
  readonly baseUrl?: string | undefined
  /** The rights of each object. Default: none are sent. In v4 `params.ACL`. */
  readonly acl?: CannedAcl | undefined
  /** The header `Cache-Control` of each object. Default: none. */
  readonly cacheControl?: string | undefined
  /** The size of a part in bytes, from 5 MiB, which is the default. S3 takes at most 10,000 parts of one object. */
  readonly partSize?: number | undefined
  /** The number of parts in memory at the same time, over all uploads. Default: 16. */
  readonly parallelParts?: number | undefined
  /** Milliseconds that a connection may take. Default: 5000. */
  readonly connectTimeout?: number | undefined
  /** Milliseconds that a request may take without progress. Default: 30000. */
  readonly idleTimeout?: number | undefined
  /** The number of times that a request is sent while the storage is busy or does not answer. Default: 3. */
  readonly maxAttempts?: number | undefined
}
