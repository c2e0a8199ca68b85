// Reads a stream into buffers of a fixed size.

import type { Readable } from 'node:stream'

/** The rest of a stream. It rejects if the stream fails or is destroyed. */
export class PartReader {
  readonly #chunks: AsyncIterator<Uint8Array | string>
  #chunk: Uint8Array = new Uint8Array(0)
  #ended = false
  /** The number of bytes that were read. */
  size = 0

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** Fills the buffer, and less only at the end. Returns the number of bytes. */
  async fill(buffer: Buffer): Promise<number> {
    let length = 0
    while (length < buffer.length && !(await this.atEnd())) {
      const piece = this.#chunk.subarray(0, buffer.length - length)
      buffer.set(piece, length)
      this.#chunk = this.#chunk.subarray(piece.length)
      length += piece.length
    }
    this.size += length
    return length
  }

  /** Returns whether there is nothing left. Waits for the next bytes. */
  async atEnd(): Promise<boolean> {
    while (this.#chunk.length === 0 && !this.#ended) {
      const { done, value } = await this.#chunks.next()
      if (done === true) this.#ended = true
      else this.#chunk = typeof value === 'string' ? Buffer.from(value) : value
    }
    return this.#chunk.length === 0
  }
}
