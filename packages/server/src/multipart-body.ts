// Cuts a multipart body into parts as its bytes arrive: the header of each part, then its content in pieces. It holds
// one chunk of the body and reads the next one only when it is asked.

import { malformed, type PartHeader, parsePartHeader } from './part-header.ts'
import type { RequestBytes } from './request-bytes.ts'

/** Maximum size of what stands before the first part and of a part's header, in bytes. */
const maxHeader = 16 * 1024

const lineEnd = Buffer.from('\r\n')
const headerEnd = Buffer.from('\r\n\r\n')
const carriageReturn = 13

/** The parts of a body, in the order in which they arrive. Its methods must not run at the same time. */
export class MultipartBody {
  readonly #bytes: RequestBytes
  readonly #delimiter: Buffer
  /** The bytes that were read and not yet returned. */
  #rest: Buffer = lineEnd
  /** True if content is read, so what stands before the first part counts, too. */
  #isInside = true
  #isFirst = true
  /** True if the line end that ends the part's header no longer stands before its content. */
  #isBegun = true

  constructor(bytes: RequestBytes, boundary: string) {
    this.#bytes = bytes
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  /** Skips the rest of the present part. The header of the next one; null behind the last one. */
  async nextPart(): Promise<PartHeader | null> {
    await this.#skip()
    // The two dashes that end the body need no line end behind them.
    while (this.#rest.length < 2) await this.#read()
    if (this.#rest.toString('latin1', 0, 2) === '--') return null
    const padding = await this.#take(lineEnd, 0)
    if (/[^ \t]/.test(padding.toString('latin1'))) throw malformed('a boundary is followed by other text')
    // The line end of the boundary also ends a header without lines, and that of the header begins a boundary, if the
    // part has no content (RFC 2046, section 5.1.1).
    const header = await this.#take(headerEnd, lineEnd.length)
    this.#isInside = true
    this.#isBegun = false
    return parsePartHeader(header.subarray(lineEnd.length))
  }

  /** The next piece of the part's content, at least one byte long; null at its end. */
  async content(): Promise<Buffer | null> {
    if (!this.#isInside) return null
    for (;;) {
      const at = this.#rest.indexOf(this.#delimiter)
      if (at === 0) {
        this.#rest = this.#rest.subarray(this.#delimiter.length)
        this.#isInside = false
        return null
      }
      const end = at === -1 ? this.#certain() : at
      if (end > 0) {
        const piece = this.#rest.subarray(this.#isBegun ? 0 : lineEnd.length, end)
        this.#rest = this.#rest.subarray(end)
        this.#isBegun = true
        if (piece.length > 0) return piece
      } else await this.#read()
    }
  }

  async #skip(): Promise<void> {
    let size = 0
    for (let piece = await this.content(); piece !== null; piece = await this.content()) {
      size += piece.length
      if (this.#isFirst && size > maxHeader) throw malformed('it does not begin with its boundary')
    }
    this.#isFirst = false
  }

  /** The length of the content that cannot be the beginning of a boundary: only its first byte is a carriage return. */
  #certain(): number {
    const { length } = this.#rest
    const from = Math.max(0, length - this.#delimiter.length + 1)
    const at = this.#rest.subarray(from).lastIndexOf(carriageReturn)
    return at === -1 ? length : from + at
  }

  /** Takes what stands before `end`, and leaves `end` in place but for its last `past` bytes. */
  async #take(end: Buffer, past: number): Promise<Buffer> {
    for (;;) {
      const at = this.#rest.indexOf(end)
      if (at > maxHeader || (at === -1 && this.#rest.length > maxHeader + end.length))
        throw malformed('the header of a part is too large')
      if (at !== -1) {
        const bytes = this.#rest.subarray(0, at)
        this.#rest = this.#rest.subarray(at + past)
        return bytes
      }
      await this.#read()
    }
  }

  async #read(): Promise<void> {
    const chunk = await this.#bytes.next()
    if (chunk === null) throw malformed('the body ends too early')
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
  }
}
