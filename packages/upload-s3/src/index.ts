// The provider of files for buckets that speak the protocol of Amazon S3. It is a provider of @plinth/upload, and no plugin:
// it knows neither records nor requests.

import type { UploadProvider } from '@plinth/upload'
import { Bucket } from './bucket.ts'
import type { S3Options } from './options.ts'
import { S3Provider } from './provider.ts'
import { resolveSettings } from './settings.ts'

export { StorageError } from './errors.ts'
export type { CannedAcl, CredentialOption, S3Credentials, S3Options, V4ClientOptions, V4Options } from './options.ts'

declare module '@plinth/kernel' {
  interface ErrorCodes {
    /**
     * The storage of files refused a request. The message names the bucket, the request, and the option that has to
     * change; `reason` of the error is the storage's own code.
     */
    PLINTH_UPLOAD_STORAGE: true
  }
}

/**
 * Makes a provider that keeps files in a bucket. `options` may have the names of v4's provider `aws-s3` instead.
 * No request is sent before the first file. Throws PluginConfigError if options are missing, wrong or not known.
 */
export function s3Provider(options: S3Options): UploadProvider {
  const settings = resolveSettings(options, process.env)
  return new S3Provider(new Bucket(settings), settings)
}

export default { init: s3Provider }
