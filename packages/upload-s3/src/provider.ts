// The four functions of a provider, for a bucket.

import type { Readable } from 'node:stream'
import type { StoredFile, UploadProvider } from '@plinth/upload'
import { addressOf, nameOf } from './address.ts'
import type { Bucket } from './bucket.ts'
import { reasonOf } from './errors.ts'
import { PartBuffers } from './part-buffers.ts'
import type { Settings } from './settings.ts'
import { cancelUnfinished, Upload } from './upload.ts'

/** Accounts without the right to list unfinished uploads, and storages that cannot. Their parts end by a rule of the bucket. */
const cannotList = ['AccessDenied', 'Forbidden', 'NotImplemented', 'MethodNotAllowed']

/** Keeps files in a bucket. It rejects with UnavailableError or StorageError. */
export class S3Provider implements UploadProvider {
  readonly name: string
  readonly #bucket: Bucket
  readonly #settings: Settings
  readonly #buffers: PartBuffers

  constructor(bucket: Bucket, settings: Settings) {
    this.name = settings.name
    this.#bucket = bucket
    this.#settings = settings
    this.#buffers = new PartBuffers(settings.partSize, settings.parallelParts)
  }

  async store(file: StoredFile, signal: AbortSignal): Promise<void> {
    const name = nameOf(file.key, this.#settings)
    // An earlier attempt to replace the file must not be completed behind this one.
    if (file.replaces === true) await this.#cancelUnfinished(name)
    await new Upload({ bucket: this.#bucket, buffers: this.#buffers, name }, file).run(signal)
  }

  /** Also ends uploads of the file that a process did not live to end. */
  async remove(key: string): Promise<void> {
    const name = nameOf(key, this.#settings)
    await this.#cancelUnfinished(name)
    await this.#bucket.delete(name)
  }

  async #cancelUnfinished(name: string): Promise<void> {
    try {
      await cancelUnfinished(this.#bucket, name)
    } catch (error) {
      if (!cannotList.includes(reasonOf(error) ?? '')) throw error
    }
  }

  /** Its URLs differ in their paths alone. */
  get origins(): readonly string[] {
    return [new URL(addressOf('', this.#settings)).origin]
  }

  urlOf(key: string): string {
    return addressOf(nameOf(key, this.#settings), this.#settings)
  }

  async open(key: string): Promise<Readable> {
    return this.#bucket.read(nameOf(key, this.#settings))
  }
}
