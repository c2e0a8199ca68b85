// The interface of reads for transports. A transport passes parameters and receives rows, without plans or statements.
// Runs lifecycles, which may change a query before it is planned. Knows no format of queries or answers.

import type { Context } from '../context.ts'
import type { Lifecycles, ReadEvents } from '../hooks/lifecycles.ts'
import type { Action, Pagination } from '../query/query.ts'
import type { RefusedPart } from '../query/refused-parts.ts'
import type { Params, ReadRequest } from '../query/request.ts'
import type { AnswerNode } from '../result/answer-node.ts'
import type { PreparedQuery, ReadResult } from '../result/execution.ts'
import { checkSize } from '../result/size.ts'
import type { RowCount } from '../row-count.ts'
import { noParts, prepareAllowed } from './allowed.ts'
import { type AnswerRequest, type PreparedAnswer, prepareAnswer } from './answers.ts'
import type { Engine } from './engine.ts'

/** The answer to a read, with its parameters. */
export interface Answer extends ReadResult {
  readonly params: Params
  /** The pagination of the list; null if the list is complete. */
  readonly pagination: Pagination | null
}

/**
 * A query that can be run many times, for callers with the rights for which it was prepared. A query of one entry can
 * be run for any id. Transports do not change it.
 */
export interface PreparedRead {
  /** The request, without the parts that were refused. */
  readonly request: ReadRequest
  /** The parts that were left out (`ReadRequest.isPartial`). */
  readonly refused: readonly RefusedPart[]
  /** The form of the answer's rows; null if the type has lifecycles of reads, which may change the query. */
  readonly node: AnswerNode | null
  /**
   * Null if the type has lifecycles of reads: they receive the parameters of each run first, and may change them.
   * @internal
   */
  readonly prepared: PreparedQuery | null
}

/** Reads entries, for all transports. Each method throws errors of parameters, of missing rights and of hooks. */
export class Reader {
  readonly #engine: Engine
  readonly #lifecycles: Lifecycles

  constructor(engine: Engine, lifecycles: Lifecycles) {
    this.#engine = engine
    this.#lifecycles = lifecycles
  }

  /** Returns whether lifecycles of reads receive the entries of a type, which may change them. */
  hasLifecycles(uid: string): boolean {
    return this.#lifecycles.hasReadListeners(uid)
  }

  /** Returns the entries that match, with the total, as `pagination` says; only the total for a `count`. */
  async read(request: ReadRequest, context: Context): Promise<Answer> {
    return this.run(this.prepare(request, context), context)
  }

  /**
   * Checks a query of one entry, such as the answer to a write, before anything is done: throws if the caller lacks the
   * right or if the parameters are wrong; both errors take precedence over a 404. Lifecycles do not run.
   */
  check(request: AnswerRequest<Action>, context: Context): void {
    if (request.isAuthorized !== true) this.#engine.authorize(request.uid, request.action, context.access)
    prepareAllowed(this.#engine, { ...request, id: 0, isAuthorized: true }, context)
  }

  /**
   * Prepares the query of the answer to a write. Throws if the caller lacks the right to the write, or if the
   * parameters are wrong.
   */
  prepareAnswer(request: AnswerRequest, context: Context): PreparedAnswer {
    if (request.isAuthorized !== true) this.#engine.authorize(request.uid, request.action, context.access)
    return prepareAnswer(this.#engine, request, context)
  }

  /** Parses and plans a query and checks the right to it, unless the type has lifecycles, which must run first. */
  prepare(request: ReadRequest, context: Context): PreparedRead {
    if (this.#hasListeners(request)) return { request, refused: noParts, node: null, prepared: null }
    const { prepared, request: left, refused } = prepareAllowed(this.#engine, request, context)
    return { request: left, refused, node: prepared.compiled.root, prepared }
  }

  /**
   * Returns an estimate of the rows that the answer fetches: the sum over all nodes of the products of page sizes on
   * the way, where a list without a limit counts as 25. Nothing is refused by it; `Context.rowCount` counts what is
   * read. If the type has lifecycles of reads, it is that of the parameters before they change them, and errors of
   * parameters are thrown.
   */
  costOf(read: PreparedRead, context: Context): number {
    const { prepared, request } = read
    return (prepared ?? this.#engine.prepare(request, context)).cost
  }

  /**
   * Equal for queries whose answers are equal as long as nothing is written, whoever asks: `Execution.identity`. Null
   * if the type has lifecycles of reads, which may answer each caller differently.
   */
  identityOf(read: PreparedRead, context: Context): string | null {
    // `prepared` is left out of the published types, so it cannot stand in the signature.
    const { prepared } = read
    return prepared === null ? null : this.#engine.identityOf(prepared, context)
  }

  /**
   * Returns whether rules, which are conditions of `prePlan` hooks, may hide entries of the queried type from the
   * caller. It says nothing of conditions of parameters, nor of populated entries.
   */
  hasRules(read: PreparedRead, context: Context): boolean {
    const { prepared, request } = read
    const { compiled } = prepared ?? this.#engine.prepare(request, context)
    return compiled.plan.root.isRestricted
  }

  /**
   * Returns a new count of rows, for a request of several queries: contexts that have it (`Context.rowCount`) may
   * together fetch as many rows as one query (`maxRows`).
   */
  startRowCount(): RowCount {
    return this.#engine.startRowCount()
  }

  /** Runs a query. `id` may name another entry than the one for which it was prepared. */
  async run(read: PreparedRead, context: Context, id: unknown = read.request.id): Promise<Answer> {
    const { request } = read
    if (this.#hasListeners(request)) return this.#runWithLifecycles({ ...request, id }, context)
    const whole = read.prepared ?? this.#engine.prepare({ ...request, id }, context)
    const prepared = id === undefined ? whole : this.#engine.rebind(whole, id, context)
    return answerOf(await this.#engine.run(prepared, context), request.params, prepared)
  }

  #hasListeners({ uid, entries }: ReadRequest): boolean {
    return entries === undefined && this.#lifecycles.hasReadListeners(uid)
  }

  /** Runs a query with the lifecycles of its type. It is planned once, after `before…` lifecycles have changed it. */
  async #runWithLifecycles(request: ReadRequest, context: Context): Promise<Answer> {
    const { uid, action, params, id, pagination = null } = request
    const type = this.#engine.registry.require(uid)
    const verb = action === 'findOne' ? 'FindOne' : action === 'count' ? 'Count' : 'FindMany'
    const events = await this.#lifecycles.read(type, verb, params, id, verb === 'FindMany' ? pagination : null)
    const finalRequest = events === null ? request : await this.#asChanged(request, events, context)
    const prepared = this.#engine.prepare(finalRequest, context)
    const result = await this.#engine.run(prepared, context)
    // Lifecycles receive all entries as objects, so the size is checked before these are made.
    if (events !== null && context.limits !== undefined) checkSize(result.rows, context.limits)
    const finalResult = events === null ? result : await events.after(result)
    if (verb !== 'FindMany' || result.total === null) return answerOf(finalResult, params, prepared)
    // v4 counts a list in a separate query (B-10.72).
    const counts = await this.#lifecycles.read(type, 'Count', params)
    if (counts === null) return answerOf(finalResult, params, prepared)
    const { total } = counts.where === null ? finalResult : await this.#recount(request, counts.params, context)
    return answerOf(await counts.after({ ...finalResult, total }), params, prepared)
  }

  /** Returns the request as lifecycles have changed it. */
  async #asChanged(request: ReadRequest, { params, where }: ReadEvents, context: Context): Promise<ReadRequest> {
    // A query with an id ignores filters, so a changed condition is resolved to an id first. No entry has the id 0.
    return request.action === 'findOne' && where !== null
      ? { ...request, params, id: (await this.#engine.firstId(request.uid, where, context)) ?? 0 }
      : { ...request, params }
  }

  /** Returns the number of entries that match the condition of a lifecycle of the count. */
  #recount(request: ReadRequest, params: Params, context: Context): Promise<ReadResult> {
    const counting = { ...request, action: 'count', params, pagination: null, meta: false } as const
    return this.#engine.run(this.#engine.prepare(counting, context), context)
  }
}

function answerOf({ rows, total, entries }: ReadResult, params: Params, { parsed }: PreparedQuery): Answer {
  return entries === undefined
    ? { rows, total, params, pagination: parsed.pagination }
    : { rows, total, entries, params, pagination: parsed.pagination }
}
