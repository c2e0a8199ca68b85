// Takes the bytes of a stream in pieces of a wanted size, none faster than it is asked for. Knows no format.

/** Makes the error of a place in the archive. */
export type MakeError = (text: string) => Error

/** The bytes of a stream. Time and memory are linear in the bytes that are taken. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #makeError: MakeError
  #chunk: Buffer = Buffer.alloc(0)
  #position = 0
  /** The place of the reading, for messages, such as `in metadata.json`. */
  where = 'at the beginning'

  constructor(chunks: AsyncIterator<Buffer>, makeError: MakeError) {
    this.#chunks = chunks
    this.#makeError = makeError
  }

  /** The number of bytes that were taken. */
  get position(): number {
    return this.#position
  }

  /** Makes the error of this place. */
  error(text: string): Error {
    return this.#makeError(`${this.where}, at byte ${this.#position} of its unpacked content: ${text}`)
  }

  /** Takes `size` bytes; null if there are none at all. Throws the error of this place if there are fewer. */
  async exactly(size: number): Promise<Buffer | null> {
    const first = await this.upTo(size)
    if (first === null || first.length === size) return first
    const parts = [first]
    for (let length = first.length; length < size; ) {
      const part = await this.upTo(size - length)
      if (part === null) throw this.error('Truncated: the archive ends here')
      parts.push(part)
      length += part.length
    }
    return Buffer.concat(parts)
  }

  /** Takes the next bytes, at least one and at most `size`; null at the end. `size` must not be 0. */
  async upTo(size: number): Promise<Buffer | null> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#next()
      if (done) return null
      this.#chunk = value
    }
    const bytes = this.#chunk.subarray(0, size)
    this.#chunk = this.#chunk.subarray(bytes.length)
    this.#position += bytes.length
    return bytes
  }

  async #next(): Promise<IteratorResult<Buffer, undefined>> {
    try {
      return (await this.#chunks.next()) as IteratorResult<Buffer, undefined>
    } catch (error) {
      const { code, message } = error as { readonly code?: string; readonly message: string }
      if (code === 'Z_BUF_ERROR') throw this.error('Truncated: the compressed archive ends here')
      throw this.error(`what follows cannot be read (${message})`)
    }
  }
}
