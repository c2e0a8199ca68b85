// The requests to the bucket. The SDK is loaded for the first of them, so that programs that store no file do not load it.
// Repeats of requests and their limits are the SDK's; the order of requests is upload.ts's.

import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { UnavailableError } from '@plinth/kernel'
import { explained, reasonOf, StorageError } from './errors.ts'
import type { ObjectHeaders } from './headers.ts'
import type { Settings } from './settings.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

/** The objects with which each request is made. */
interface Tools {
  readonly client: S3Client
  readonly sdk: Sdk
  /** The bucket and the object. */
  readonly target: { readonly Bucket: string; readonly Key: string }
  readonly options: { readonly abortSignal?: AbortSignal }
}

/** A part that is stored. */
export interface Part {
  readonly PartNumber: number
  readonly ETag: string | undefined
}

/** An upload of several parts. */
export interface Multipart {
  readonly name: string
  readonly uploadId: string
}

/**
 * The objects of a bucket, by their names. Every function rejects with an error of `explained`, or with the reason of
 * the signal.
 */
export class Bucket {
  readonly settings: Settings
  #loaded: Promise<{ readonly client: S3Client; readonly sdk: Sdk }> | null = null

  constructor(settings: Settings) {
    this.settings = settings
  }

  async put(name: string, body: Uint8Array, headers: ObjectHeaders, signal: AbortSignal): Promise<void> {
    await this.#send('PutObject', name, signal, ({ client, sdk, target, options }) =>
      client.send(
        new sdk.PutObjectCommand({ ...target, ...this.#written(headers), Body: body, ContentLength: body.byteLength }),
        options,
      ),
    )
  }

  /** Begins an upload of several parts. */
  async begin(name: string, headers: ObjectHeaders, signal: AbortSignal): Promise<Multipart> {
    const { UploadId } = await this.#send('CreateMultipartUpload', name, signal, ({ client, sdk, target, options }) =>
      client.send(new sdk.CreateMultipartUploadCommand({ ...target, ...this.#written(headers) }), options),
    )
    return { name, uploadId: UploadId! }
  }

  async putPart({ name, uploadId }: Multipart, number: number, body: Uint8Array, signal: AbortSignal): Promise<Part> {
    const { ETag } = await this.#send('UploadPart', name, signal, ({ client, sdk, target, options }) =>
      client.send(
        new sdk.UploadPartCommand({
          ...target,
          UploadId: uploadId,
          PartNumber: number,
          Body: body,
          ContentLength: body.byteLength,
        }),
        options,
      ),
    )
    return { PartNumber: number, ETag }
  }

  /** Makes the object of the parts. `size` is that of all of them. */
  async complete({ name, uploadId }: Multipart, parts: Part[], size: number, signal: AbortSignal): Promise<void> {
    let tag: string | undefined
    try {
      const answer = await this.#send('CompleteMultipartUpload', name, signal, ({ client, sdk, target, options }) =>
        client.send(
          new sdk.CompleteMultipartUploadCommand({ ...target, UploadId: uploadId, MultipartUpload: { Parts: parts } }),
          options,
        ),
      )
      tag = answer.ETag
    } catch (error) {
      // It was complete before, but the answer was lost, and the SDK asked again.
      if (reasonOf(error) === 'NoSuchUpload' && (await this.#isComplete(name, parts.length, size, signal))) return
      throw error
    }
    // Something else has answered with status 200, such as a proxy.
    if (tag === undefined && !(await this.#isComplete(name, parts.length, size, signal)))
      throw new UnavailableError(undefined, {
        cause: new StorageError(
          `S3 bucket "${this.settings.bucket}": CompleteMultipartUpload of ${JSON.stringify(name)} failed: the answer does not come from a storage (InvalidAnswer)`,
          'InvalidAnswer',
        ),
      })
  }

  /** Returns whether the object has this size and number of parts, which is in the tag of its content. */
  async #isComplete(name: string, count: number, size: number, signal: AbortSignal): Promise<boolean> {
    const head = await this.#send('HeadObject', name, signal, ({ client, sdk, target, options }) =>
      client.send(new sdk.HeadObjectCommand(target), options),
    ).catch(() => null)
    return head?.ContentLength === size && (head.ETag ?? '').endsWith(`-${count}"`)
  }

  /** Ends an upload and removes its parts; one that has ended already is not an error. */
  async cancel({ name, uploadId }: Multipart, signal?: AbortSignal): Promise<void> {
    try {
      await this.#send('AbortMultipartUpload', name, signal, ({ client, sdk, target, options }) =>
        client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId: uploadId }), options),
      )
    } catch (error) {
      if (reasonOf(error) !== 'NoSuchUpload') throw error
    }
  }

  /** The uploads of an object that have not ended. */
  async unfinished(name: string, signal?: AbortSignal): Promise<Multipart[]> {
    const { Uploads = [] } = await this.#send(
      'ListMultipartUploads',
      name,
      signal,
      ({ client, sdk, target, options }) =>
        client.send(new sdk.ListMultipartUploadsCommand({ Bucket: target.Bucket, Prefix: target.Key }), options),
    )
    // They are ordered by name, so those of names that begin with this one come after it.
    return Uploads.filter(one => one.Key === name).map(one => ({ name, uploadId: one.UploadId! }))
  }

  /** Deletes an object; a missing one is not an error. */
  async delete(name: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#send('DeleteObject', name, signal, ({ client, sdk, target, options }) =>
        client.send(new sdk.DeleteObjectCommand(target), options),
      )
    } catch (error) {
      if (reasonOf(error) !== 'NoSuchKey') throw error
    }
  }

  async read(name: string): Promise<Readable> {
    const { Body } = await this.#send('GetObject', name, undefined, ({ client, sdk, target, options }) =>
      client.send(new sdk.GetObjectCommand(target), options),
    )
    return Body as Readable
  }

  #written(headers: ObjectHeaders): object {
    const { acl, cacheControl } = this.settings
    return {
      ...headers,
      ...(acl === null ? {} : { ACL: acl }),
      ...(cacheControl === null ? {} : { CacheControl: cacheControl }),
    }
  }

  async #send<T>(
    operation: string,
    name: string,
    signal: AbortSignal | undefined,
    send: (tools: Tools) => Promise<T>,
  ): Promise<T> {
    try {
      signal?.throwIfAborted()
      this.#loaded ??= load(this.settings)
      const target = { Bucket: this.settings.bucket, Key: name }
      const options = signal === undefined ? {} : { abortSignal: signal }
      const sent = this.#loaded.then(loaded => send({ ...loaded, target, options }))
      return await (signal === undefined ? sent : untilAborted(sent, signal))
    } catch (error) {
      throw signal?.aborted ? signal.reason : explained(error, { operation, name }, this.settings)
    }
  }
}

/** The SDK ends a request when the signal aborts, but not its pause before the next attempt, nor a look for credentials. */
async function untilAborted<T>(sent: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([sent, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Bodies are signed with their hash, so the SDK's checksums beside it, which not every storage takes, are left out. */
async function load(settings: Settings): Promise<{ client: S3Client; sdk: Sdk }> {
  const sdk = await import('@aws-sdk/client-s3')
  // More than can be in use at once: time in the queue for a connection would count as time for connecting.
  const agent = { maxSockets: 1024 }
  const client = new sdk.S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    maxAttempts: settings.maxAttempts,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: settings.connectTimeout,
      socketTimeout: settings.idleTimeout,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(settings.endpoint === null ? {} : { endpoint: settings.endpoint.origin }),
    ...(settings.credentials === null ? {} : { credentials: settings.credentials }),
  })
  return { client, sdk }
}
