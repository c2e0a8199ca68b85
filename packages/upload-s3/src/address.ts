// The names of objects in the bucket, and the addresses at which clients find them.

import { StorageError } from './errors.ts'
import type { Settings } from './settings.ts'

/** The name of the object of a file. Throws StorageError for a key that S3 or a URL would not keep as it is. */
export function nameOf(key: string, { prefix, bucket }: Pick<Settings, 'prefix' | 'bucket'>): string {
  const name = `${prefix}${key}`
  const isPath = key.split('/').some(part => part === '' || part === '.' || part === '..')
  if (isPath || Buffer.byteLength(name) > 1024)
    throw new StorageError(`S3 bucket "${bucket}": ${JSON.stringify(key)} cannot be the key of a file`, 'InvalidKey')
  return name
}

/** The address of an object, absolute. */
export function addressOf(name: string, settings: Settings): string {
  const path = name.split('/').map(encodeSegment).join('/')
  return `${settings.baseUrl ?? addressOfBucket(settings)}/${path}`
}

/** As encodeURIComponent, but also of the characters that S3's own addresses encode. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function addressOfBucket({ endpoint, region, bucket, forcePathStyle }: Settings): string {
  const { protocol, host } =
    endpoint ?? new URL(`https://s3.${region}.amazonaws.com${/^cn-/.test(region) ? '.cn' : ''}`)
  // A certificate for *.example.com covers no name with a dot, and a number as a host has no names below it.
  const isInPath = forcePathStyle || bucket.includes('.') || /^(?:[\d.]+|\[.*\])(?::\d+)?$/.test(host)
  return isInPath ? `${protocol}//${host}/${bucket}` : `${protocol}//${bucket}.${host}`
}
