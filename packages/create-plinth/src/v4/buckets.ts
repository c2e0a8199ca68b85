// Finds out whether a v4 project stores files in a bucket of S3.

import { isJson, tokensOf } from '@plinth/v4/syntax'

/** The providers of v4 whose settings @plinth/upload takes, by a package of Plinth. */
export const buckets = ['aws-s3', '@strapi/provider-upload-aws-s3']

/** Returns whether config/plugins stores files in a bucket of S3. Throws SyntaxError. */
export const hasBucket = (plugins: string): boolean =>
  tokensOf(isJson(plugins) ? `(${plugins})` : plugins).some(
    ({ label, value }) => label === 'string' && buckets.includes(value),
  )
