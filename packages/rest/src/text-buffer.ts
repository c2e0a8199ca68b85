// The buffer of an answer: it counts entries and bytes, keeps the texts of rows that are written more than once, and
// moves long texts to chunks, so that the answer is never concatenated as a whole. It does not depend on what is
// written.

import { randomBytes } from 'node:crypto'
import { type AnswerLimits, type NodeRows, tooManyBytes } from '@plinth/kernel'
import type { Share } from '@plinth/server/transport'

/** Maximum numbers of entries and of characters that are written without a pause. */
export const maxShortEntries = 1000
const maxLength = 1024 * 1024

/** A text longer than this many characters is moved to a chunk. */
const chunkLength = 128 * 1024

/** Marks the place of a chunk in a text. It is random, so that no content can equal it. */
const mark = `\0${randomBytes(12).toString('hex')}:`
const markEnd = '\0'

/** A chunk of text; `bytes` includes the chunks it refers to. */
interface Chunk {
  readonly text: string
  readonly bytes: number
}

/** Thrown if the answer is too large to be written without pauses: it must be written into a buffer with pauses. */
export class TooLong extends Error {}

/** A text with marks, and the buffer that holds their chunks. */
export interface LongText {
  readonly text: string
  readonly buffer: TextBuffer
  /** The bytes of its chunks and of the text itself: what it takes until it is sent. */
  readonly heldBytes: number
}

/**
 * The buffer of one answer. Without pauses, it refuses long answers and can be reused for one answer after another.
 * With pauses, the writer lets other requests run in between.
 */
export class TextBuffer {
  /** Texts of rows by node and id; null if each row is written whenever it occurs. */
  readonly texts: Map<NodeRows, Map<unknown, string>> | null
  readonly #chunks: Chunk[] = []
  #limits: AnswerLimits
  #maxEntries: number
  #entries = 0
  readonly #share: Share | null
  #isFull = false
  /** A text longer than this is passed to `cut`. */
  readonly longest: number

  /** `share` counts the bytes of a buffer with pauses; null if nobody does. */
  constructor(limits: AnswerLimits, hasPauses: boolean, share: Share | null = null) {
    this.#share = share
    this.texts = hasPauses ? new Map() : null
    this.longest = hasPauses ? chunkLength : maxLength
    this.#limits = limits
    this.#maxEntries = hasPauses ? Number.POSITIVE_INFINITY : Math.min(maxShortEntries, limits.maxEntries)
  }

  /** Prepares a buffer without pauses for another answer. */
  restart(limits: AnswerLimits): void {
    if (limits !== this.#limits) {
      this.#limits = limits
      this.#maxEntries = Math.min(maxShortEntries, limits.maxEntries)
    }
    this.#entries = 0
  }

  /** Counts a written entry. Throws TooLong if the answer has too many entries to be written without pauses. */
  count(): void {
    if (++this.#entries > this.#maxEntries) throw new TooLong()
  }

  /** Counts bytes of the answer that are in memory from now on. */
  hold(bytes: number): void {
    if (this.#share !== null && !this.#share.add('answers', bytes)) this.#isFull = true
  }

  /** Returns whether the server has no room for more: the writer must wait for `room`. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Resolves when there is room. Throws UnavailableError. */
  async room(): Promise<void> {
    await this.#share!.room('answers', 0)
    this.#isFull = false
  }

  /**
   * Moves a long text to a chunk, and returns the mark that stands for it. Throws TooLong in a buffer without pauses,
   * and ValidationError above the limit.
   */
  cut(text: string): string {
    if (this.texts === null) throw new TooLong()
    const bytes = this.#bytesOf(text)
    if (bytes > this.#limits.maxBytes) throw tooManyBytes(bytes, this.#limits)
    this.#chunks.push({ text, bytes })
    this.hold(text.length)
    return `${mark}${this.#chunks.length - 1}${markEnd}`
  }

  #bytesOf(text: string): number {
    let bytes = Buffer.byteLength(text)
    for (const { index, length } of marksOf(text)) bytes += this.#chunks[index]!.bytes - length
    return bytes
  }

  /** The finished text. Throws ValidationError if it exceeds the limit. */
  finish(text: string): string | LongText {
    // A character has three bytes at most.
    if (this.#chunks.length === 0 && 3 * text.length <= this.#limits.maxBytes) return text
    const bytes = this.#bytesOf(text)
    if (bytes > this.#limits.maxBytes) throw tooManyBytes(bytes, this.#limits)
    // The texts of rows are in the chunks now.
    this.texts?.clear()
    if (this.#chunks.length === 0) return text
    const heldBytes = this.#chunks.reduce((sum, chunk) => sum + chunk.text.length, text.length)
    return { text, buffer: this, heldBytes }
  }

  /** Yields a text with its chunks inserted, in pieces of moderate length. */
  *expand(text: string): Generator<string> {
    let from = 0
    for (const { index, at, length } of marksOf(text)) {
      if (at > from) yield text.slice(from, at)
      yield* this.expand(this.#chunks[index]!.text)
      from = at + length
    }
    yield from === 0 ? text : text.slice(from)
  }
}

/** The marks in a text. */
function marksOf(text: string): { readonly index: number; readonly at: number; readonly length: number }[] {
  const marks: { index: number; at: number; length: number }[] = []
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) {
    const end = text.indexOf(markEnd, at + mark.length)
    marks.push({ index: Number(text.slice(at + mark.length, end)), at, length: end + 1 - at })
  }
  return marks
}
