// Stores one stream: in one request if it fits into a part, otherwise in parts, of which a few are on their way at the
// same time. Whatever ends it early, nothing of it is left in the bucket.

import type { StoredFile } from '@plinth/upload'
import type { Bucket, Multipart, Part } from './bucket.ts'
import { StorageError } from './errors.ts'
import { headersOf, type ObjectHeaders } from './headers.ts'
import type { PartBuffers } from './part-buffers.ts'
import { PartReader } from './part-reader.ts'

/** The number of parts of one stream that are sent at the same time. */
const mostAtOnce = 4
/** Milliseconds that the request that makes the object may still take after an abort: then its result is known. */
const grace = 300
/**
 * The time that cleaning up may take, in ticks and milliseconds. Together with the grace they leave a part of the second
 * that the caller allows. Ticks are counted, because a process that gets little of the processor would not read in time
 * that the storage has answered.
 */
const cleaning = { ticks: 20, interval: 25 }
/** S3 takes no more parts of one object. */
const mostParts = 10_000

/** The place at which a stream is stored. */
export interface UploadTarget {
  readonly bucket: Bucket
  readonly buffers: PartBuffers
  /** The name of the object. */
  readonly name: string
}

/** One stream on its way. */
export class Upload {
  readonly #target: UploadTarget
  readonly #file: StoredFile
  readonly #headers: ObjectHeaders
  readonly #reader: PartReader
  /** Aborted by the caller, by a part that failed, and at the end. */
  readonly #stop = new AbortController()
  readonly #sending = new Set<Promise<void>>()
  readonly #parts: Part[] = []
  #multipart: Multipart | null = null
  /** The step that it reached, which says what has to be cleaned. */
  #stage: 'reading' | 'beginning' | 'parts' | 'last' = 'reading'

  constructor(target: UploadTarget, file: StoredFile) {
    this.#target = target
    this.#file = file
    this.#headers = headersOf(file.mime)
    // Destroying a stream that is not being read at that moment would otherwise be an uncaught exception.
    file.stream.on('error', () => {})
    this.#reader = new PartReader(file.stream)
  }

  /** Resolves when the object is durable. Rejects with the reason of the signal, or with what went wrong first. */
  async run(signal: AbortSignal): Promise<void> {
    const { stream } = this.#file
    const stop = () => this.#stop.abort(signal.reason)
    const destroy = () => stream.destroy()
    this.#stop.signal.addEventListener('abort', destroy, { once: true })
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (signal.aborted) stop()
      await this.#store()
      this.#stop.signal.throwIfAborted()
    } catch (error) {
      // A part that failed has destroyed the stream, whose own error then says less.
      const first = this.#stop.signal.aborted ? this.#stop.signal.reason : error
      this.#stop.abort(first)
      await Promise.all(this.#sending)
      await this.#clean()
      throw first
    } finally {
      signal.removeEventListener('abort', stop)
      this.#stop.signal.removeEventListener('abort', destroy)
    }
  }

  async #store(): Promise<void> {
    const { bucket, buffers, name } = this.#target
    const first = await buffers.take(this.#stop.signal)
    let isHeld = true
    try {
      const length = await this.#reader.fill(first)
      if (await this.#reader.atEnd()) {
        this.#checkSize()
        await this.#last(signal => bucket.put(name, first.subarray(0, length), this.#headers, signal))
        return
      }
      this.#stage = 'beginning'
      this.#multipart = await bucket.begin(name, this.#headers, this.#stop.signal)
      this.#stage = 'parts'
      isHeld = false
    } finally {
      if (isHeld) buffers.give(first)
    }
    await this.#storeParts(this.#multipart, first)
  }

  /** Stores the rest of the stream; `first` is a full buffer. */
  async #storeParts(multipart: Multipart, first: Buffer): Promise<void> {
    this.#sendPart(multipart, 1, first, first.length)
    for (let number = 2; !(await this.#reader.atEnd()); number++) {
      if (number > mostParts)
        throw this.#failure(`it has more than ${mostParts} parts; enlarge partSize`, 'TooManyParts')
      const buffer = await this.#nextBuffer()
      let length = 0
      try {
        length = await this.#reader.fill(buffer)
      } finally {
        if (length === 0) this.#target.buffers.give(buffer)
      }
      this.#sendPart(multipart, number, buffer, length)
    }
    await Promise.all(this.#sending)
    this.#stop.signal.throwIfAborted()
    this.#checkSize()
    const parts = this.#parts.sort((a, b) => a.PartNumber - b.PartNumber)
    await this.#last(signal => this.#target.bucket.complete(multipart, parts, this.#reader.size, signal))
  }

  /** Sends a part beside others, and gives its buffer back. What goes wrong is the reason of the stop. */
  #sendPart(multipart: Multipart, number: number, buffer: Buffer, length: number): void {
    const { bucket, buffers } = this.#target
    const sending = bucket
      .putPart(multipart, number, buffer.subarray(0, length), this.#stop.signal)
      .then(
        part => void this.#parts.push(part),
        error => this.#stop.abort(error),
      )
      .finally(() => {
        buffers.give(buffer)
        this.#sending.delete(sending)
      })
    this.#sending.add(sending)
  }

  /** Waits for a part of this stream rather than for one of others, which may be waiting for one of this. */
  async #nextBuffer(): Promise<Buffer> {
    const { buffers } = this.#target
    while (this.#sending.size > 0) {
      this.#stop.signal.throwIfAborted()
      const buffer = this.#sending.size < mostAtOnce ? buffers.tryTake() : null
      if (buffer !== null) return buffer
      await Promise.race(this.#sending)
    }
    return buffers.take(this.#stop.signal)
  }

  /** The request that makes the object. An abort leaves it a moment: cut off, it might make the object after cleaning. */
  async #last(send: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#stop
    signal.throwIfAborted()
    this.#stage = 'last'
    const late = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const onStop = () => {
      timer = setTimeout(() => late.abort(signal.reason), grace)
    }
    signal.addEventListener('abort', onStop, { once: true })
    try {
      await send(late.signal)
    } catch (error) {
      // The storage has refused it, so an earlier object of the name is still there and has to stay.
      if (error instanceof StorageError) this.#stage = this.#multipart === null ? 'reading' : 'parts'
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onStop)
    }
  }

  #checkSize(): void {
    const { size } = this.#file
    if (size === null || size === this.#reader.size) return
    throw this.#failure(`the stream has ${this.#reader.size} bytes and not ${size}`, 'IncompleteBody')
  }

  #failure(why: string, reason: string): StorageError {
    const { bucket, name } = this.#target
    return new StorageError(
      `S3 bucket "${bucket.settings.bucket}": ${JSON.stringify(name)} is not stored: ${why}`,
      reason,
    )
  }

  /**
   * Removes what the bucket may have of it. Errors are not reported beside the one that ended the upload: what is left
   * then is what `remove` cleans.
   */
  async #clean(): Promise<void> {
    const { bucket, name } = this.#target
    const limit = new AbortController()
    const { signal } = limit
    let ticks = 0
    const timer = setInterval(() => {
      if (++ticks === cleaning.ticks) limit.abort()
    }, cleaning.interval)
    const steps = {
      reading: async () => {},
      // The answer with the id is lost.
      beginning: () => cancelUnfinished(bucket, name, signal),
      parts: () => bucket.cancel(this.#multipart!, signal),
      last: async () => {
        if (this.#multipart !== null) await bucket.cancel(this.#multipart, signal)
        // The object has to stay, whether it is the earlier or the new one.
        if (this.#file.replaces !== true) await bucket.delete(name, signal)
      },
    }
    await steps[this.#stage]()
      .catch(() => {})
      .finally(() => clearInterval(timer))
  }
}

/** Ends all uploads of an object. */
export async function cancelUnfinished(bucket: Bucket, name: string, signal?: AbortSignal): Promise<void> {
  const unfinished = await bucket.unfinished(name, signal)
  await Promise.all(unfinished.map(one => bucket.cancel(one, signal)))
}
