// Reads by queries in the form of text, such as query strings. Front ends repeat a few dozen texts, so the parameters
// and the prepared query of a text are cached. Knows no format of texts: the transport passes the parser.

import { LRUCache } from '#lru-cache'
import type { Context } from '../context.ts'
import type { Params } from '../query/parse.ts'
import { LongTexts } from './long-texts.ts'
import type { Answer, PreparedRead, Reader, ReadOptions } from './reader.ts'
import { weighPrepared, weighValue } from './weight.ts'

/** Longer texts are not cached: they are rare, and callers can make any number of them. */
const maxKeptLength = 4096

/** Returns the parameters of a query for a content type. */
type Adapt = (params: Params, uid: string) => Params

/** Reads entries by texts. Each transport has its own; its caches are bounded by their size in memory. */
export class TextReader {
  readonly #reader: Reader
  readonly #parse: (text: string) => Params
  readonly #adapt: Adapt
  readonly #longTexts = new LongTexts()
  /** Prepared queries by rights, type, action and text. */
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

  /** Adapted parameters by type and text. */
  readonly #adapted = new LRUCache<string, Params>({
    max: 2000,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (params, key) => 4 * key.length + weighValue(params),
  })

  /**
   * `parse` returns the parameters of a text, and throws for wrong texts. `adapt` returns those for one content type, or the
   * same object if they mean the same for all types.
   */
  constructor(reader: Reader, parse: (text: string) => Params, adapt: Adapt = params => params) {
    this.#reader = reader
    this.#parse = parse
    this.#adapt = adapt
  }

  /** The entries that match, with the total, as `options.pagination` says. */
  async find(options: ReadOptions, text: string, context: Context): Promise<Answer> {
    return this.#reader.run(this.#prepare('find', options, text, context), context)
  }

  /** The entry with `options.id`. The answer has no row if there is none. */
  async findOne(options: ReadOptions, text: string, context: Context): Promise<Answer> {
    return this.#reader.run(this.#prepare('findOne', options, text, context), context, options.id)
  }

  /** Throws if the caller lacks the right or if the text is wrong; both errors take precedence over a 404. */
  check(what: Parameters<Reader['check']>[0], text: string, context: Context): void {
    const params = this.params(text, what.uid)
    this.#measure(text, () => this.#reader.check(what, params, context))
  }

  /**
   * The parameters of a text for a content type. As long as they are cached, this is the same frozen object, by which the writer finds the
   * prepared query of its answer. Throws the errors of the parser.
   */
  params(text: string, uid: string): Params {
    const params = this.#paramsOf(text)
    const key = `${uid} ${text}`
    const known = this.#adapted.size === 0 ? undefined : this.#adapted.get(key)
    if (known !== undefined) return known
    const adapted = this.#adapt(params, uid)
    if (adapted !== params && text.length <= maxKeptLength) this.#adapted.set(key, Object.freeze(adapted))
    return adapted
  }

  #paramsOf(text: string): Params {
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
    const params = this.params(text, options.uid)
    const made = this.#measure(text, () => this.#reader.prepare({ action, options, params }, context))
    // A query that lifecycles may change is prepared each time.
    if (made.prepared !== null && text.length <= maxKeptLength) this.#prepared.set(key, made)
    return made
  }

  #measure<T>(text: string, work: () => T): T {
    return text.length <= maxKeptLength ? work() : this.#longTexts.measure(work)
  }
}

/** Whether a text means the same query with both options. */
function isSame(one: ReadOptions, other: ReadOptions): boolean {
  return (
    one.pagination === other.pagination &&
    one.meta === other.meta &&
    one.internal === other.internal &&
    // What was prepared without a look at the rights must not serve those who need them.
    one.isAuthorized === other.isAuthorized &&
    one.ids === other.ids &&
    one.refuseLoosePaging === other.refuseLoosePaging
  )
}
