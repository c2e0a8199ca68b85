// The content of a file in a multipart body as a stream, which reads the body as it is read itself.

import { Readable } from 'node:stream'
import { PlinthError } from '@plinth/kernel'
import type { MultipartBody } from './multipart-body.ts'

export class PartFile extends Readable {
  readonly #body: MultipartBody
  readonly #limit: number
  #first: Buffer | null
  #size = 0
  #isBegun = false
  #isReleased = false
  /** The reason why the content cannot be read. An error with which its reader destroys the stream does not count. */
  #fault: Error | null = null
  #release: () => void = () => undefined
  #reading: Promise<void> = Promise.resolve()

  /** `first` is the beginning of the content, which was read already. */
  constructor(body: MultipartBody, first: Buffer | null, limit: number) {
    super()
    this.#body = body
    this.#first = first
    this.#limit = limit
    // A file whose reader does not listen yet must not end the process.
    this.on('error', () => undefined)
  }

  override _read(): void {
    this.#isBegun = true
    this.#reading = this.#advance()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#setReleased()
    done(error)
  }

  /**
   * Waits until the content was read to its end or the stream was destroyed. A stream that is not being read is
   * destroyed. Throws PlinthError if the file is too large.
   */
  async released(): Promise<void> {
    if (!this.#isBegun && this.readableFlowing === null) this.destroy()
    if (!this.#isReleased)
      await new Promise<void>(resolve => {
        this.#release = resolve
      })
    await this.#reading
    if (this.#fault !== null) throw this.#fault
  }

  async #advance(): Promise<void> {
    try {
      const piece = this.#first ?? (await this.#body.content())
      this.#first = null
      if (this.destroyed) return
      this.#size += piece?.length ?? 0
      if (this.#size > this.#limit) throw fileTooLarge()
      this.push(piece)
      if (piece === null) this.#setReleased()
    } catch (error) {
      this.#fault = error as Error
      this.destroy(this.#fault)
    }
  }

  #setReleased(): void {
    this.#isReleased = true
    this.#release()
  }
}

/** The error of a file that is larger than the limit (B-1.47). */
function fileTooLarge(): PlinthError {
  return new PlinthError(413, 'PayloadTooLargeError', 'FileTooBig', null)
}
