// The schema of the options: the provider's own names, and those of v4. What a value means is in settings.ts.

import { Type } from '@plinth/kernel'

const MiB = 1024 * 1024
const strict = { additionalProperties: false }
const text = Type.Optional(Type.String({ minLength: 1 }))
const milliseconds = Type.Optional(Type.Integer({ minimum: 1 }))

const acl = Type.Union([
  Type.Literal('private'),
  Type.Literal('public-read'),
  Type.Literal('public-read-write'),
  Type.Literal('authenticated-read'),
  Type.Literal('aws-exec-read'),
  Type.Literal('bucket-owner-read'),
  Type.Literal('bucket-owner-full-control'),
])

const keys = { accessKeyId: text, secretAccessKey: text, sessionToken: text }

/** The options that v4 has in `s3Options`, and earlier versions beside it. */
const client = {
  ...keys,
  credentials: Type.Optional(Type.Object(keys, strict)),
  region: text,
  endpoint: text,
  forcePathStyle: Type.Optional(Type.Boolean()),
  s3ForcePathStyle: Type.Optional(Type.Boolean()),
  signatureVersion: Type.Optional(Type.Literal('v4')),
  maxAttempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  params: Type.Optional(
    Type.Object(
      {
        Bucket: text,
        ACL: Type.Optional(Type.Union([acl, Type.Null()])),
        CacheControl: text,
        signedUrlExpires: Type.Optional(Type.Number()),
      },
      strict,
    ),
  ),
}

export const optionsSchema = Type.Object(
  {
    bucket: text,
    prefix: Type.Optional(Type.String()),
    baseUrl: text,
    acl: Type.Optional(acl),
    cacheControl: text,
    partSize: Type.Optional(Type.Integer({ minimum: 5 * MiB, maximum: 512 * MiB })),
    parallelParts: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    connectTimeout: milliseconds,
    idleTimeout: milliseconds,
    ...client,
    rootPath: Type.Optional(Type.String()),
    s3Options: Type.Optional(Type.Object(client, strict)),
  },
  strict,
)
