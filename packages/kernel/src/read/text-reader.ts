// Questions that come as text, such as query strings. Front ends repeat a few dozen texts, so what was made of a text is kept:
// its parameters, and the question with its plan. Knows no format of texts: the transport hands over what parses them.

import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { Params } from '../query/parse.ts'
import { LongTexts } from './long-texts.ts'
import type { Answer, PreparedRead, Reader, ReadOptions } from './reader.ts'
import { weighPrepared, weighValue } from './weight.ts'

/** Longer texts are not kept: they are rare, and callers can make any number of them. */
const maxKeptLength = 4096

/** Reads entries by texts. Each transport makes one; what it keeps is bounded by its size in memory. */
export class TextReader {
  readonly #reader: Reader
  readonly #parse: (text: string) => Params
  readonly #longTexts = new LongTexts()
  /** Questions by rights, type, action and text. */
  readonly #prepared = new LRUCache<string, PreparedRead>({
    max: 5000,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ params, prepared }, key) =>
      4 * key.length + weighValue(params) + (prepared === null ? 0 : weighPrepared(prepared)),
  })
  readonly #params = new LRUCache<string, Params>({
    max: 2000,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (params, text) => 4 * text.length + weighValue(params),
  })

  /** `parse` makes parameters of a text, and throws for texts that are wrong. */
  constructor(reader: Reader, parse: (text: string) => Params) {
    this.#reader = reader
    this.#parse = parse
  }

  /** The entries that match, cut and counted by `options.pagination`. */
  async find(options: ReadOptions, text: string, context: Context): Promise<Answer> {
    return this.#reader.run(this.#prepare('find', options, text, context), context)
  }

  /** The entry with `options.id`. The answer has no row if there is none. */
  async findOne(options: ReadOptions, text: string, context: Context): Promise<Answer> {
    return this.#reader.run(this.#prepare('findOne', options, text, context), context, options.id)
  }

  /** Throws if the caller may not do this, or if the text is wrong: both come before the answer that an entry is missing. */
  check(what: Parameters<Reader['check']>[0], text: string, context: Context): void {
    const params = this.params(text)
    this.#measure(text, () => this.#reader.check(what, params, context))
  }

  /**
   * The parameters of a text: the same frozen object each time it is kept, by which the writer recognizes the question of an
   * answer. Throws what the parser throws.
   */
  params(text: string): Params {
    const known = this.#params.get(text)
    if (known !== undefined) return known
    const params = Object.freeze(this.#measure(text, () => this.#parse(text)))
    if (text.length <= maxKeptLength) this.#params.set(text, params)
    return params
  }

  /** Whether texts of this length must wait for their turn before they are parsed. */
  isLong(length: number): boolean {
    return length > maxKeptLength
  }

  /** Resolves when the next long text may be parsed. */
  awaitTurn(): Promise<void> {
    return this.#longTexts.awaitTurn()
  }

  #prepare(action: 'find' | 'findOne', options: ReadOptions, text: string, context: Context): PreparedRead {
    const key = `${context.access.key} ${options.uid} ${action} ${text}`
    const known = this.#prepared.get(key)
    if (known !== undefined && isSame(known.options, options)) return known
    const params = this.params(text)
    const made = this.#measure(text, () => this.#reader.prepare({ action, options, params }, context))
    // What lifecycles may change is prepared each time.
    if (made.prepared !== null && text.length <= maxKeptLength) this.#prepared.set(key, made)
    return made
  }

  #measure<T>(text: string, work: () => T): T {
    return text.length <= maxKeptLength ? work() : this.#longTexts.measure(work)
  }
}

/** Do the options make the same question of a text? */
function isSame(one: ReadOptions, other: ReadOptions): boolean {
  return (
    one.pagination === other.pagination &&
    one.meta === other.meta &&
    one.internal === other.internal &&
    one.refuseLoosePaging === other.refuseLoosePaging
  )
}
