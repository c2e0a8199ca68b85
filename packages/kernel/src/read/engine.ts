// READ FIRST: the way of a query through the kernel, on one page.
//
//   request ──parse──▶ Query + values ──plan──▶ Plan ──compile──▶ statements     once per shape and rights, cached
//                                      ──bind──▶ execute ──▶ rows                every time
//
// Knows no transport and no plugin.

import type { Database } from '../connection/database.ts'
import type { Access, Context } from '../context.ts'
import type { HookRegistry, Hooks } from '../hooks/hooks.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { Registry } from '../model/registry.ts'
import { makePlan } from '../plan/planner.ts'
import type { Planning } from '../plan/scope.ts'
import { parseQuery } from '../query/parse.ts'
import type { Action, ParsedQuery } from '../query/query.ts'
import type { RefusedParts } from '../query/refused-parts.ts'
import type { Params, ReadRequest } from '../query/request.ts'
import type { Grammar } from '../query/shape.ts'
import { type BoundPlan, Execution, type PreparedQuery, type ReadResult } from '../result/execution.ts'
import { RowCount } from '../row-count.ts'
import { type CompiledPlan, compilePlan } from '../sql/compile.ts'
import { bind } from '../sql/statement.ts'
import { TextCache } from '../text-cache.ts'
import { checkPerRequest, checkValues } from './branch-values.ts'
import { ReadHooks } from './hooks.ts'
import { pageListener } from './page-listener.ts'
import { type Bindings, type RunTools, runBound } from './run.ts'
import { Totals } from './totals.ts'

/** The operators and parameters of queries, with their effect on plans. */
interface EngineGrammar extends Grammar {
  readonly parameters: Planning['parameters']
}

/** The limits of an engine. */
export interface EngineLimits {
  /** The maximum number of cached plans. */
  readonly maxPlans: number
  /** The maximum number of content types and components that a query may visit. */
  readonly maxCost: number
  /** The maximum number of rows that a request may fetch. */
  readonly maxRows: number
}

/** Throws ForbiddenError if the access lacks the right to an operation of a content type. */
export type Authorize = (uid: string, operation: Action, access: Access) => void

/** The objects that an engine uses. */
export interface EngineTools {
  readonly database: Database
  readonly registry: Registry
  readonly hooks: HookRegistry
  readonly grammar: EngineGrammar
  readonly lifecycles: Lifecycles
  readonly authorize: Authorize
}

/** Parses, plans, compiles, binds and executes queries. */
export class Engine {
  readonly database: Database
  /** The content types and components. */
  readonly registry: Registry
  readonly lifecycles: Lifecycles
  /** The hooks of reads. */
  readonly hooks: ReadHooks
  /** Checks the right to an operation. Rights to types that a query crosses are checked by `prePlan` hooks. */
  readonly authorize: Authorize
  /** The objects with which plans are made. */
  readonly planning: Planning
  /**
   * Compiled plans by rights and shape.
   *
   * @internal
   */
  readonly plans: TextCache<CompiledPlan>
  readonly #grammar: EngineGrammar
  readonly #maxRows: number
  readonly #onRemark: Hooks['onRemark'] | null
  readonly #running: RunTools

  constructor({ database, registry, hooks, grammar, lifecycles, authorize }: EngineTools, limits: EngineLimits) {
    this.database = database
    this.registry = registry
    this.lifecycles = lifecycles
    this.hooks = new ReadHooks(hooks)
    this.authorize = authorize
    this.#grammar = grammar
    this.#maxRows = limits.maxRows
    this.#onRemark = hooks.onRemark
    this.#running = { database, totals: new Totals(database, pageListener(hooks)) }
    const listen = hooks.compiled.prePlan
    this.planning = {
      registry,
      parameters: grammar.parameters,
      maxCost: limits.maxCost,
      isRemarked: hooks.onRemark !== null,
      prePlan: listen === null ? null : (type, draft, access) => listen.for(type.uid, draft.action)?.(draft, access),
    }
    this.plans = new TextCache({
      max: limits.maxPlans,
      maxSize: 64 * 1024 * 1024,
      sizeCalculation: (plan, key) => plan.weight + 2 * key.length,
    })
  }

  /**
   * Parses a request, finds or makes the plan, and binds all values unless some are per request. Throws ForbiddenError,
   * PaginationError, and ValidationError for names and values that are not valid. The right to the action is asked for
   * unless `isAuthorized`.
   */
  prepare(request: ReadRequest<Action>, context: Context): PreparedQuery {
    return this.prepareParts(request, context, null)!
  }

  /** Prepares a query as `prepare` does. Returns null if parts were refused, which `parts` collects, if it is given. */
  prepareParts(request: ReadRequest<Action>, context: Context, parts: RefusedParts | null): PreparedQuery | null {
    const parsed = parseQuery(this.#grammar, request, parts)
    // Parts that are refused while they are parsed would be missing in the plan.
    if (parts !== null && !parts.isEmpty) return null
    if (request.isAuthorized !== true) this.authorize(request.uid, request.action, context.access)
    const compiled = this.#plan(parsed, context.access, parts)
    if (compiled === null) return null
    const cost = compiled.cost(parsed.values)
    const bound = compiled.isPerRequest ? null : this.#bind(compiled, parsed.values, context)
    checkValues(compiled, parsed.values, context, parts)
    return parts === null || parts.isEmpty ? { compiled, parsed, bound, cost } : null
  }

  /** Returns a new count of the rows of several reads (`Context.rowCount`), with the limit for one request. */
  startRowCount(): RowCount {
    return new RowCount(this.#maxRows)
  }

  /** Returns the same query for another id, without parsing or planning it again. */
  rebind(prepared: PreparedQuery, id: unknown, context: Context): PreparedQuery {
    const { compiled, parsed, cost } = prepared
    const slot = parsed.query.id!
    if (parsed.values[slot] === id) return prepared
    const values = [...parsed.values]
    values[slot] = id
    const bound = compiled.isPerRequest ? null : this.#bind(compiled, values, context)
    return { compiled, parsed: { ...parsed, values }, bound, cost }
  }

  /** Runs a prepared query. Throws ValidationError if it fetches more rows than callers may. */
  run(prepared: PreparedQuery, context: Context): Promise<ReadResult> {
    const { compiled, parsed } = prepared
    const { uid, action } = parsed.query
    const bound = prepared.bound ?? this.#bind(compiled, parsed.values, context)
    checkPerRequest(compiled.placesCheckedPerRequest, parsed.values, context)
    if (this.#onRemark !== null) this.#remarkOn(prepared, context)
    const read = () => this.#read(compiled, { parsed, bound, context, rowCount: this.#rowCountOf(parsed, context) })
    return this.hooks.areAround(uid, action) ? this.hooks.around(new Execution(prepared, bound, context), read) : read()
  }

  /** Calls the listeners of remarks, for each run of a query that asks for something in vain. */
  #remarkOn({ compiled: { plan }, parsed }: PreparedQuery, context: Context): void {
    for (const one of parsed.remarks ?? []) this.remark(one, context)
    for (const one of plan.remarks) this.remark(one, context)
  }

  /** Calls the listeners of remarks. */
  remark(text: string, context: Context): void {
    this.#onRemark?.(text, context)
  }

  /** Runs a query of the kernel's own on the database, whatever hooks there are, and without a limit of rows. */
  runWithoutHooks({ compiled, parsed, bound }: PreparedQuery, context: Context): Promise<ReadResult> {
    const rowCount = new RowCount(Number.POSITIVE_INFINITY)
    return this.#read(compiled, {
      parsed,
      bound: bound ?? this.#bind(compiled, parsed.values, context),
      context,
      rowCount,
    })
  }

  #read(compiled: CompiledPlan, bindings: Bindings): Promise<ReadResult> {
    return runBound(this.#running, compiled, bindings)
  }

  /** Returns the count of rows. What the kernel and trusted code read is not limited, as with the number of nodes. */
  #rowCountOf({ query }: ParsedQuery, { rowCount }: Context): RowCount {
    return query.internal ? new RowCount(Number.POSITIVE_INFINITY) : (rowCount ?? this.startRowCount())
  }

  /** Returns what `Execution.identity` is for a prepared query. */
  identityOf(prepared: PreparedQuery, context: Context): string {
    const bound = prepared.bound ?? this.#bind(prepared.compiled, prepared.parsed.values, context)
    return new Execution(prepared, bound, context).identity
  }

  /** Returns the id of the first entry that fulfils a condition, even if plugins hide it from callers; or null. */
  async firstId(uid: string, where: Params, context: Context): Promise<number | null> {
    const params = { filters: where, sort: 'id' }
    const request = { uid, action: 'update', stage: 'lookup', params, internal: true, isAuthorized: true } as const
    const { rows } = await this.runWithoutHooks(this.prepare(request, context), context)
    return rows.rows.length === 0 ? null : (rows.rows[0]![0] as number)
  }

  #bind(compiled: CompiledPlan, values: readonly unknown[], context: Context): BoundPlan {
    const room = this.#roomOf(compiled)
    const entries = bind(compiled.entries, values, context, null, room)
    if (compiled.total === null) return { entries, total: null, totalKey: '', counted: null }
    const total = bind(compiled.total, values, context)
    const totalKey = this.#running.totals.keyOf(compiled.total, total)
    const counted = compiled.counted === null ? null : bind(compiled.counted.statement, values, context, null, room)
    return { entries, total, totalKey, counted }
  }

  /** Returns the rows that a query may fetch if nothing else has been fetched. */
  #roomOf({ plan: { query } }: CompiledPlan): number {
    return query.internal ? Number.POSITIVE_INFINITY : this.#maxRows
  }

  /** Returns null if parts were refused: the plan of what is left is another one. */
  #plan({ query }: ParsedQuery, access: Access, refused: RefusedParts | null): CompiledPlan | null {
    const key = `${access.key} ${query.shape}`
    const cached = this.plans.get(key)
    if (cached !== undefined) return cached
    const plan = makePlan(this.planning, { query, access, refused })
    if (refused !== null && !refused.isEmpty) return null
    const compiled = compilePlan(this.database.dialect, plan)
    this.plans.set(key, compiled)
    return compiled
  }
}
