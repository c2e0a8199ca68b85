// The interface of reads for transports. A transport passes parameters and receives rows, without plans or statements.
// Runs lifecycles, which may change a query before it is planned. Knows no format of queries or answers.

import type { Prepared, ReadResult } from '../answer/execution.ts'
import { checkSize } from '../answer/size.ts'
import type { Context } from '../context.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { PaginationRules } from '../query/pagination.ts'
import type { Params, ParseOptions } from '../query/parse.ts'
import type { Action, OwnMeta, Pagination } from '../query/query.ts'
import type { RowCount } from '../row-count.ts'
import type { Engine } from './engine.ts'

/** The options of a read, apart from its parameters. */
export interface ReadOptions {
  readonly uid: string
  /** The id of the entry, for `findOne`. */
  readonly id?: unknown
  /** The rules of pagination. Without them a list is complete, and its total is not counted. */
  readonly pagination?: PaginationRules | null
  /** Whether entries carry their own `meta`. */
  readonly meta?: OwnMeta
  /** Whether private attributes are shown: for trusted code. */
  readonly internal?: boolean
  /** Whether `page`, `pageSize`, `start` and `limit` outside of `pagination` are refused, as lists of v4 do (B-2.5). */
  readonly refuseLoosePaging?: boolean
  /**
   * Whether the transport has checked itself that the caller may do this read: the right to the action is not asked for
   * again. The access stays what it is. `prePlan` hooks judge everything below the root as they would without the
   * option, and the conditions that they lay on the root hold, too: a rule of a role restricts the entries and hides
   * attributes also if the role lacks the action. With `withRights`, such rules would not apply.
   */
  readonly isAuthorized?: boolean
  /**
   * The ids of entries that the caller has read already, for a list of what is below them: relations that are asked for
   * one by one. No parameter and no condition of a plugin hides the entries themselves, and lifecycles of reads do not
   * run; everything below the entries is judged as in a list, and hidden attributes stay hidden. `filters` have no effect.
   */
  readonly ids?: readonly number[]
}

/** The answer to a read, with its parameters. */
export interface Answer extends ReadResult {
  readonly params: Params
  /** The pagination of the list; null if the list is complete. */
  readonly pagination: Pagination | null
}

/** A query as a transport passes it. */
export interface ReadRequest {
  readonly action: 'find' | 'findOne' | 'count'
  readonly options: ReadOptions
  readonly params: Params
}

/**
 * A query that can be run many times, for callers with the rights for which it was prepared. A query of one entry can
 * be run for any id. Transports do not change it.
 */
export interface PreparedRead extends ReadRequest {
  /**
   * Null if the type has lifecycles of reads: they receive the parameters of each run first, and may change them.
   * @internal
   */
  readonly prepared: Prepared | null
}

/** What `check` is asked about; `isAuthorized` as in the options of a read. */
interface CheckOptions {
  readonly uid: string
  readonly action: Action
  readonly isAuthorized?: boolean
}

type PlanOptions = ParseOptions & Pick<ReadOptions, 'isAuthorized' | 'ids'>

/** Reads entries, for all transports. Each method throws errors of parameters, of missing rights and of hooks. */
export class Reader {
  readonly #engine: Engine
  readonly #lifecycles: Lifecycles

  constructor(engine: Engine, lifecycles: Lifecycles) {
    this.#engine = engine
    this.#lifecycles = lifecycles
  }

  /** Whether lifecycles of reads receive the entries of a type, which may change them. */
  hasLifecycles(uid: string): boolean {
    return this.#lifecycles.hasReadListeners(uid)
  }

  /** The entries that match, with the total, as `options.pagination` says. */
  async find(options: ReadOptions, params: Params, context: Context): Promise<Answer> {
    return this.run(this.prepare({ action: 'find', options, params }, context), context)
  }

  /** The entry with `options.id`. The answer has no row if there is none. */
  async findOne(options: ReadOptions, params: Params, context: Context): Promise<Answer> {
    return this.run(this.prepare({ action: 'findOne', options, params }, context), context)
  }

  /** The number of entries that match. */
  async count(options: ReadOptions, params: Params, context: Context): Promise<number> {
    const { total } = await this.run(this.prepare({ action: 'count', options, params }, context), context)
    return total ?? 0
  }

  /**
   * Judges the answer to a write before it runs: throws if the caller lacks the right or if the parameters are wrong;
   * both errors take precedence over a 404.
   */
  check({ uid, action, isAuthorized = false }: CheckOptions, params: Params, context: Context): void {
    if (!isAuthorized) this.#engine.authorize(uid, action, context.access)
    // The right is checked; those that a read asks for are the same.
    this.#plan({ uid, action, id: 0, pagination: null, isAuthorized: true }, params, context)
  }

  /** Parses and plans a query and checks the right to it, unless the type has lifecycles, which must run first. */
  prepare(request: ReadRequest, context: Context): PreparedRead {
    const { action, options, params } = request
    const hasListeners = this.#hasListeners(options)
    const prepared = hasListeners ? null : this.#plan(parseOptions(request, options.id), params, context)
    return { action, options, params, prepared }
  }

  /**
   * An estimate of the rows that the answer fetches: the sum over all nodes of the products of page sizes on the way, where
   * a list without a limit counts as 25. Nothing is refused by it; `Context.rowCount` counts what is read. If the type has lifecycles of reads, it is that of the parameters before they change them, and errors of parameters
   * are thrown.
   */
  costOf(read: PreparedRead, context: Context): number {
    const { prepared, params } = read
    return (prepared ?? this.#plan(parseOptions(read, read.options.id), params, context)).cost
  }

  /**
   * Equal for queries whose answers are equal as long as nothing is written, whoever asks: `Execution.identity`. Null if
   * the type has lifecycles of reads, which may answer each caller differently.
   */
  identityOf(read: PreparedRead, context: Context): string | null {
    // `prepared` is left out of the published types, so it cannot stand in the signature.
    const { prepared } = read
    return prepared === null ? null : this.#engine.identityOf(prepared, context)
  }

  /**
   * Whether rules, which are conditions of `prePlan` hooks, may hide entries of the queried type from the caller. It says
   * nothing of conditions of parameters, nor of populated entries.
   */
  hasRules(read: PreparedRead, context: Context): boolean {
    const { prepared, params } = read
    const { compiled } = prepared ?? this.#plan(parseOptions(read, read.options.id), params, context)
    return compiled.plan.root.isRestricted
  }

  /**
   * A new count of rows, for a request of several queries: contexts that have it (`Context.rowCount`) may together fetch as
   * many rows as one query (`maxRows`).
   */
  startRowCount(): RowCount {
    return this.#engine.startRowCount()
  }

  /** Runs a query. `id` may name another entry than the one for which it was prepared. */
  async run(read: PreparedRead, context: Context, id: unknown = read.options.id): Promise<Answer> {
    const { options, params } = read
    if (this.#hasListeners(options)) return this.#runWithLifecycles(read, context, id)
    const known = read.prepared ?? this.#plan(parseOptions(read, id), params, context)
    const prepared = id === undefined ? known : this.#engine.rebind(known, id, context)
    return answerOf(await this.#engine.run(prepared, context), params, prepared)
  }

  #hasListeners({ uid, ids }: ReadOptions): boolean {
    return ids === undefined && this.#lifecycles.hasReadListeners(uid)
  }

  #plan(options: PlanOptions, params: Params, context: Context): Prepared {
    const { ids } = options
    const asked = ids === undefined ? params : { ...params, filters: { id: { $in: ids } } }
    return this.#engine.prepare(this.#engine.parse(asked, options), context, options.isAuthorized)
  }

  /** Runs a query with the lifecycles of its type. It is planned once, after `before…` lifecycles have changed it. */
  async #runWithLifecycles(request: ReadRequest, context: Context, id: unknown): Promise<Answer> {
    const { action, params } = request
    const type = this.#engine.registry.require(request.options.uid)
    const options = parseOptions(request, id)
    const verb = action === 'findOne' ? 'FindOne' : action === 'count' ? 'Count' : 'FindMany'
    const events = await this.#lifecycles.read(type, verb, params, id, verb === 'FindMany' ? options.pagination : null)
    // A query with an id ignores filters, so a changed condition is resolved to an id first. No entry has the id 0.
    const named = verb === 'FindOne' && events !== null && events.where !== null
    const wanted = named
      ? { ...options, id: (await this.#engine.firstId(type.uid, events.where!, context)) ?? 0 }
      : options
    const prepared = this.#plan(wanted, events?.params ?? params, context)
    const result = await this.#engine.run(prepared, context)
    // Lifecycles receive all entries as objects, so the size is checked before these are made.
    if (events !== null && context.limits !== undefined) checkSize(result.rows, context.limits)
    const seen = events === null ? result : await events.after(result)
    if (verb !== 'FindMany' || result.total === null) return answerOf(seen, params, prepared)
    // v4 counts a list in a separate query (B-10.72).
    const counts = await this.#lifecycles.read(type, 'Count', params)
    if (counts === null) return answerOf(seen, params, prepared)
    const { total } = counts.where === null ? seen : await this.#recount(options, counts.params, context)
    return answerOf(await counts.after({ ...seen, total }), params, prepared)
  }

  /** The number of entries that match the condition of a lifecycle of the count. */
  #recount(options: PlanOptions, params: Params, context: Context): Promise<ReadResult> {
    const counting: PlanOptions = { ...options, action: 'count', pagination: null, meta: false }
    return this.#engine.run(this.#plan(counting, params, context), context)
  }
}

function parseOptions({ action, options }: ReadRequest, id: unknown): PlanOptions {
  return { ...options, id, action, known: options.ids !== undefined, pagination: options.pagination ?? null }
}

function answerOf({ rows, total, entries }: ReadResult, params: Params, { parsed }: Prepared): Answer {
  return entries === undefined
    ? { rows, total, params, pagination: parsed.pagination }
    : { rows, total, entries, params, pagination: parsed.pagination }
}
