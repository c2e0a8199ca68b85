// Reads by queries in the form of text, such as query strings. Front ends repeat a few dozen texts, so the parameters
// and the prepared query of a text are cached. Knows no format of texts: the transport passes the parser.

import type { Context } from '../context.ts'
import type { Action } from '../query/query.ts'
import type { Params, ReadRequest } from '../query/request.ts'
import { TextCache } from '../text-cache.ts'
import { type AnswerRequest, isAnswerTo, type PreparedAnswer } from './answers.ts'
import { LongTexts } from './long-texts.ts'
import type { Answer, PreparedRead, Reader } from './reader.ts'
import { weighPrepared, weighValue } from './weight.ts'

/** Longer texts are not cached: they are rare, and callers can make any number of them. */
const maxKeptLength = 4096

/** Returns the parameters of a query for a content type. */
type Adapt = (params: Params, uid: string) => Params

/** A request whose parameters are in the text. */
type TextRequest = Omit<ReadRequest, 'params'>

/** Reads entries by texts. Each transport has its own; its caches are bounded by their size in memory. */
export class TextReader {
  readonly #reader: Reader
  readonly #parse: (text: string) => Params
  readonly #adapt: Adapt
  readonly #longTexts = new LongTexts()
  /** Prepared queries by rights, type, action and text. */
  readonly #prepared = new TextCache<PreparedRead>({
    max: 5000,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ request, prepared }, key) =>
      4 * key.length + weighValue(request.params) + (prepared === null ? 0 : weighPrepared(prepared)),
  })
  /** Prepared queries of answers to writes, by rights, type, action and text. */
  readonly #answers = new TextCache<PreparedAnswer>({
    max: 5000,
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: ({ params, prepared }, key) => 4 * key.length + weighValue(params) + weighPrepared(prepared),
  })
  readonly #params = new TextCache<Params>({
    max: 2000,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (params, text) => 4 * text.length + weighValue(params),
  })

  /** Adapted parameters by type and text. */
  readonly #adapted = new TextCache<Params>({
    max: 2000,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (params, key) => 4 * key.length + weighValue(params),
  })

  /**
   * `parse` returns the parameters of a text, and throws for wrong texts. `adapt` returns those for one content type,
   * or the same object if they mean the same for all types.
   */
  constructor(reader: Reader, parse: (text: string) => Params, adapt: Adapt = params => params) {
    this.#reader = reader
    this.#parse = parse
    this.#adapt = adapt
  }

  /** Returns the entries that match, with the total, as `pagination` says. */
  async read(request: TextRequest, text: string, context: Context): Promise<Answer> {
    return this.#reader.run(this.#prepare(request, text, context), context, request.id)
  }

  /** Throws if the caller lacks the right or if the text is wrong; both errors take precedence over a 404. */
  check(request: Omit<AnswerRequest<Action>, 'params'>, text: string, context: Context): void {
    const params = this.params(text, request.uid)
    this.#measure(text, () => this.#reader.check({ ...request, params }, context))
  }

  /**
   * Returns the query of the answer to a write, prepared once for a text. Throws if the caller lacks the right to the
   * write, or if the text is wrong.
   */
  prepareAnswer(request: Omit<AnswerRequest, 'params'>, text: string, context: Context): PreparedAnswer {
    const { uid, action } = request
    const key = `${context.access.key} ${uid} ${action} ${text}`
    const cached = this.#answers.get(key)
    if (cached !== undefined && isAnswerTo(cached, request, context)) return cached
    const params = this.params(text, uid)
    const answer = this.#measure(text, () => this.#reader.prepareAnswer({ ...request, params }, context))
    if (text.length <= maxKeptLength) this.#answers.set(key, answer)
    return answer
  }

  /**
   * Returns the parameters of a text for a content type. As long as they are cached, this is the same frozen object.
   * Throws the errors of the parser.
   */
  params(text: string, uid: string): Params {
    const params = this.#paramsOf(text)
    const key = `${uid} ${text}`
    const cached = this.#adapted.size === 0 ? undefined : this.#adapted.get(key)
    if (cached !== undefined) return cached
    const adapted = this.#adapt(params, uid)
    if (adapted !== params && text.length <= maxKeptLength) this.#adapted.set(key, Object.freeze(adapted))
    return adapted
  }

  #paramsOf(text: string): Params {
    const cached = this.#params.get(text)
    if (cached !== undefined) return cached
    const params = Object.freeze(this.#measure(text, () => this.#parse(text)))
    if (text.length <= maxKeptLength) this.#params.set(text, params)
    return params
  }

  /** Returns whether texts of this length must wait for their turn before they are parsed. */
  isLong(length: number): boolean {
    return length > maxKeptLength
  }

  /** Resolves when the next long text may be parsed. */
  awaitTurn(): Promise<void> {
    return this.#longTexts.awaitTurn()
  }

  #prepare(request: TextRequest, text: string, context: Context): PreparedRead {
    const { uid, action } = request
    const key = `${context.access.key} ${uid} ${action} ${text}`
    const cached = this.#prepared.get(key)
    if (cached !== undefined && isSame(cached.request, request)) return cached
    const params = this.params(text, uid)
    const read = this.#measure(text, () => this.#reader.prepare({ ...request, params }, context))
    // A query that lifecycles may change is prepared each time.
    if (read.prepared !== null && text.length <= maxKeptLength) this.#prepared.set(key, read)
    return read
  }

  #measure<T>(text: string, work: () => T): T {
    return text.length <= maxKeptLength ? work() : this.#longTexts.measure(work)
  }
}

/** Returns whether a text means the same query in both requests, whose type and action are the same. */
function isSame(one: TextRequest, other: TextRequest): boolean {
  return (
    one.pagination === other.pagination &&
    one.meta === other.meta &&
    one.internal === other.internal &&
    // A query that was prepared without a check of the rights must not serve a request that needs the check.
    one.isAuthorized === other.isAuthorized &&
    one.isPartial === other.isPartial &&
    one.entries === other.entries &&
    one.refuseLoosePaging === other.refuseLoosePaging &&
    one.refuseUnknown === other.refuseUnknown
  )
}
