// What an answer is written into: it counts entries and bytes, keeps texts of rows that are written more than once, and takes long
// texts out of longer ones, so that no text of an answer is ever put together as a whole. Knows nothing of what is written.

import { randomBytes } from 'node:crypto'
import { type AnswerLimits, type NodeRows, tooManyBytes } from '@plinth/kernel'

/** Entries and characters that are written at a stretch. */
export const maxShortEntries = 1000
const maxLength = 1024 * 1024

/** A text that is longer is taken out of the text it is a part of. */
const chunkLength = 128 * 1024

/** Stands in a text for a chunk that was taken out; nobody can know it, so that no content is taken for it. */
const mark = `\0${randomBytes(12).toString('hex')}:`
const markEnd = '\0'

/** A chunk that was taken out, with the bytes of the chunks that were taken out of it. */
interface Chunk {
  readonly text: string
  readonly bytes: number
}

/** The answer is too large to be written at a stretch: it must be written into a buffer with pauses. */
export class TooLong extends Error {}

/** A text, and what was taken out of it. */
export interface LongText {
  readonly text: string
  readonly buffer: TextBuffer
}

/**
 * What one answer is written into. Without pauses it refuses what is long, and may be used for one answer after the other; with
 * pauses the writer lets other requests run meanwhile.
 */
export class TextBuffer {
  /** Texts of rows by node and id; null where each is written anew. */
  readonly texts: Map<NodeRows, Map<unknown, string>> | null
  readonly #chunks: Chunk[] = []
  #limits: AnswerLimits
  #maxEntries: number
  #entries = 0
  /** Length from which a text goes to `cut`. */
  readonly longest: number

  constructor(limits: AnswerLimits, hasPauses: boolean) {
    this.texts = hasPauses ? new Map() : null
    this.longest = hasPauses ? chunkLength : maxLength
    this.#limits = limits
    this.#maxEntries = hasPauses ? Number.POSITIVE_INFINITY : Math.min(maxShortEntries, limits.maxEntries)
  }

  /** Begins another answer in a buffer without pauses. */
  restart(limits: AnswerLimits): void {
    if (limits !== this.#limits) {
      this.#limits = limits
      this.#maxEntries = Math.min(maxShortEntries, limits.maxEntries)
    }
    this.#entries = 0
  }

  /** Counts an entry that is written. Throws TooLong where others should run in between, and beyond the limit. */
  count(): void {
    if (++this.#entries > this.#maxEntries) throw new TooLong()
  }

  /** Takes a long text out; returns what stands for it. Throws TooLong, and ValidationError beyond the limit. */
  cut(text: string): string {
    if (this.texts === null) throw new TooLong()
    const bytes = this.#bytesOf(text)
    if (bytes > this.#limits.maxBytes) throw tooManyBytes(bytes, this.#limits)
    this.#chunks.push({ text, bytes })
    return `${mark}${this.#chunks.length - 1}${markEnd}`
  }

  #bytesOf(text: string): number {
    let bytes = Buffer.byteLength(text)
    for (const { index, length } of marksOf(text)) bytes += this.#chunks[index]!.bytes - length
    return bytes
  }

  /** The whole text. Throws ValidationError where it is beyond the limit. */
  finish(text: string): string | LongText {
    // A character has three bytes at most.
    if (this.#chunks.length === 0 && 3 * text.length <= this.#limits.maxBytes) return text
    const bytes = this.#bytesOf(text)
    if (bytes > this.#limits.maxBytes) throw tooManyBytes(bytes, this.#limits)
    return this.#chunks.length === 0 ? text : { text, buffer: this }
  }

  /** A text with all that was taken out of it, in parts of moderate length. */
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

/** The places where something was taken out. */
function marksOf(text: string): { readonly index: number; readonly at: number; readonly length: number }[] {
  const marks: { index: number; at: number; length: number }[] = []
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) {
    const end = text.indexOf(markEnd, at + mark.length)
    marks.push({ index: Number(text.slice(at + mark.length, end)), at, length: end + 1 - at })
  }
  return marks
}
