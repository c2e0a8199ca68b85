// The objects and unfinished uploads of the stand-in's one bucket. Their bytes are in files, so that tests can watch the
// memory of a process that also has the stand-in in it.

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReceivedBody } from './body.ts'
import { S3Refusal } from './signature.ts'

/** Received bytes in a file. */
export interface StoredPart extends ReceivedBody {
  readonly path: string
}

/** An object. */
export interface StoredObject {
  readonly size: number
  /** With quotes, as S3 sends it. */
  readonly etag: string
  /** The headers of the request that made it, such as `content-type`, `cache-control` and `x-amz-acl`. */
  readonly headers: Readonly<Record<string, string>>
  readonly parts: readonly StoredPart[]
}

/** An upload of several parts that has not ended. */
export interface UnfinishedUpload {
  readonly key: string
  readonly uploadId: string
  readonly headers: Readonly<Record<string, string>>
  readonly parts: Map<number, StoredPart>
}

/** S3 takes a smaller part only at the end. */
const leastPart = 5 * 1024 * 1024

export class Objects {
  readonly objects = new Map<string, StoredObject>()
  readonly uploads = new Map<string, UnfinishedUpload>()
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async open(): Promise<Objects> {
    return new Objects(await mkdtemp(join(tmpdir(), 'plinth-s3-')))
  }

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true })
  }

  /** A path for bytes that are received. */
  newPath(): string {
    return join(this.#folder, randomUUID())
  }

  async put(key: string, headers: Readonly<Record<string, string>>, part: StoredPart): Promise<StoredObject> {
    return this.#place(key, { size: part.size, etag: tagOf(part), headers, parts: [part] })
  }

  begin(key: string, headers: Readonly<Record<string, string>>): UnfinishedUpload {
    const upload = { key, uploadId: randomUUID(), headers, parts: new Map() }
    this.uploads.set(upload.uploadId, upload)
    return upload
  }

  uploadOf(key: string, uploadId: string): UnfinishedUpload {
    const upload = this.uploads.get(uploadId)
    if (upload?.key !== key) throw new S3Refusal(404, 'NoSuchUpload', 'The specified multipart upload does not exist.')
    return upload
  }

  /** Makes the object of the named parts. */
  async complete(
    upload: UnfinishedUpload,
    partTags: readonly { number: number; etag: string }[],
  ): Promise<StoredObject> {
    if (partTags.length === 0) throw new S3Refusal(400, 'MalformedXML', 'The XML you provided was not well-formed.')
    if (partTags.some(({ number }, i) => i > 0 && partTags[i - 1]!.number >= number))
      throw new S3Refusal(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.')
    const parts = partTags.map(({ number, etag }) => {
      const part = upload.parts.get(number)
      if (part === undefined || tagOf(part) !== etag)
        throw new S3Refusal(400, 'InvalidPart', 'One or more of the specified parts could not be found.')
      return part
    })
    if (parts.slice(0, -1).some(part => part.size < leastPart))
      throw new S3Refusal(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size.')
    const md5 = createHash('md5')
      .update(Buffer.concat(parts.map(part => part.md5)))
      .digest('hex')
    const size = parts.reduce((sum, part) => sum + part.size, 0)
    this.uploads.delete(upload.uploadId)
    await this.#drop([...upload.parts.values()].filter(part => !parts.includes(part)))
    return this.#place(upload.key, { size, etag: `"${md5}-${parts.length}"`, headers: upload.headers, parts })
  }

  async abort({ uploadId, parts }: UnfinishedUpload): Promise<void> {
    this.uploads.delete(uploadId)
    await this.#drop([...parts.values()])
  }

  async delete(key: string): Promise<void> {
    const object = this.objects.get(key)
    this.objects.delete(key)
    await this.#drop(object?.parts ?? [])
  }

  open({ parts }: StoredObject): Readable {
    return Readable.from(bytesOf(parts), { objectMode: false })
  }

  async #place(key: string, object: StoredObject): Promise<StoredObject> {
    const earlier = this.objects.get(key)
    this.objects.set(key, object)
    await this.#drop(earlier?.parts ?? [])
    return object
  }

  async #drop(parts: readonly StoredPart[]): Promise<void> {
    await Promise.all(parts.map(({ path }) => rm(path, { force: true })))
  }
}

/** The tag of the content of a part. */
export function tagOf({ md5 }: ReceivedBody): string {
  return `"${md5.toString('hex')}"`
}

async function* bytesOf(parts: readonly StoredPart[]): AsyncGenerator<Buffer> {
  for (const { path } of parts) yield* createReadStream(path) as AsyncIterable<Buffer>
}
