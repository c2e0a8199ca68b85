// READ FIRST: the way of a query through the kernel, on one page.
//
//   params ──parse──▶ Query + values ──plan──▶ Plan ──compile──▶ statements     once per shape and rights, cached
//                                     ──bind──▶ execute ──▶ rows                 every time
//
// Knows no transport and no plugin.

import { LRUCache } from '#lru-cache'
import type { Access, Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import type { Session } from '../database/session.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { Registry } from '../model/registry.ts'
import { type LinkingWrite, type LinkStep, planLink } from '../plan/link.ts'
import { makePlan } from '../plan/planner.ts'
import type { Planning } from '../plan/scope.ts'
import { type Params, type ParseOptions, parseQuery } from '../query/parse.ts'
import type { Action, ParsedQuery } from '../query/query.ts'
import type { Grammar } from '../query/shape.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import { type BoundPlan, Execution, type Prepared, type ReadResult } from '../answer/execution.ts'
import { countRows } from '../answer/parent-reads.ts'
import { type Fetch, fetchBelow } from '../answer/rows.ts'
import { type CompiledPlan, compilePlan } from '../sql/compile.ts'
import { RowCount } from '../row-count.ts'
import { bind } from '../sql/statement.ts'
import { checkBranches } from './branch-values.ts'
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

/** The test of the entries that a write links. */
export interface LinkTest {
  /** Whether the relation is taken out of the input. */
  readonly isDropped: boolean
  /** Finds those of some ids that may be linked; null if the relation is taken out. */
  readonly compiled: CompiledPlan | null
}

/** What a query runs with. */
interface Bindings {
  readonly parsed: ParsedQuery
  readonly bound: BoundPlan
  readonly context: Context
  readonly rowCount: RowCount
}

/** Parses, plans, compiles, binds and executes queries. */
export class Engine {
  readonly database: Database
  readonly #registry: Registry
  readonly #hooks: HookRegistry
  readonly #grammar: EngineGrammar
  readonly #planning: Planning
  readonly #maxRows: number
  /**
   * Compiled plans by rights and shape.
   *
   * @internal
   */
  readonly plans: LRUCache<string, CompiledPlan>
  readonly #totals: Totals
  readonly lifecycles: Lifecycles
  /** Checks the right to an operation. Rights to types that a query crosses are checked by `prePlan` hooks. */
  readonly authorize: Authorize

  constructor(
    database: Database,
    registry: Registry,
    hooks: HookRegistry,
    grammar: EngineGrammar,
    lifecycles: Lifecycles,
    limits: EngineLimits,
    authorize: Authorize,
  ) {
    this.authorize = authorize
    this.lifecycles = lifecycles
    this.database = database
    this.#totals = new Totals(database)
    this.#registry = registry
    this.#hooks = hooks
    this.#grammar = grammar
    this.#maxRows = limits.maxRows
    const listen = hooks.compiled.prePlan
    this.#planning = {
      registry,
      parameters: grammar.parameters,
      maxCost: limits.maxCost,
      prePlan: listen === null ? null : (type, draft, access) => listen.for(type.uid, draft.action)?.(draft, access),
    }
    this.plans = new LRUCache({
      max: limits.maxPlans,
      maxSize: 64 * 1024 * 1024,
      sizeCalculation: (plan, key) => plan.weight + 2 * key.length,
    })
  }

  /** Whether a `prePlan` hook may add rules to queries of that type and action. */
  hasRules(uid: string, action: string): boolean {
    const { prePlan } = this.#hooks.compiled
    return prePlan !== null && prePlan.for(uid, action) !== null
  }

  /** Parses the parameters of a transport. Throws ValidationError and PaginationError. */
  parse(params: Params, options: ParseOptions): ParsedQuery {
    return parseQuery(this.#grammar, params, options)
  }

  /**
   * Finds or makes the plan, and binds all values unless some are per request. Throws ForbiddenError, and
   * ValidationError for names and values that are not valid. The right to the action is not asked for if `isAuthorized`.
   */
  prepare(parsed: ParsedQuery, context: Context, isAuthorized = false): Prepared {
    const { uid, action } = parsed.query
    // A write checks its own right before its answer is prepared.
    const isRead = action === 'find' || action === 'findOne' || action === 'count'
    if (isRead && !isAuthorized) this.authorize(uid, action, context.access)
    const compiled = this.#plan(parsed, context.access)
    const cost = compiled.cost(parsed.values)
    const bound = compiled.isPerRequest ? null : this.#bind(compiled, parsed.values, context)
    checkBranches(compiled, parsed.values, context)
    return { compiled, parsed, bound, cost }
  }

  /** A new count of the rows of several reads (`Context.rowCount`), with the limit for one request. */
  startRowCount(): RowCount {
    return new RowCount(this.#maxRows)
  }

  /** The same query for another id, without parsing or planning it again. */
  rebind(prepared: Prepared, id: unknown, context: Context): Prepared {
    const { compiled, parsed, cost } = prepared
    const slot = parsed.query.id!
    if (parsed.values[slot] === id) return prepared
    const values = [...parsed.values]
    values[slot] = id
    const bound = compiled.isPerRequest ? null : this.#bind(compiled, values, context)
    return { compiled, parsed: { ...parsed, values }, bound, cost }
  }

  /** Runs a prepared query. Throws ValidationError if it fetches more rows than callers may. */
  run(prepared: Prepared, context: Context): Promise<ReadResult> {
    const { compiled, parsed } = prepared
    const { uid, action } = parsed.query
    const bound = prepared.bound ?? this.#bind(compiled, parsed.values, context)
    if (this.isWatched(uid, action)) return this.#runWithHooks(new Execution(prepared, bound, context))
    return this.#execute(compiled, { parsed, bound, context, rowCount: this.#rowCountOf(parsed, context) })
  }

  /** What the kernel and trusted code read is not limited, as with the number of nodes. */
  #rowCountOf({ query }: ParsedQuery, { rowCount }: Context): RowCount {
    return query.internal ? new RowCount(Number.POSITIVE_INFINITY) : (rowCount ?? this.startRowCount())
  }

  /** What `Execution.identity` is for a prepared query. */
  identityOf(prepared: Prepared, context: Context): string {
    const bound = prepared.bound ?? this.#bind(prepared.compiled, prepared.parsed.values, context)
    return new Execution(prepared, bound, context).identity
  }

  /** Whether a hook runs around queries of that type and action: `preExecute` or `onExecute`. */
  isWatched(uid: string, action: string): boolean {
    const { preExecute, onExecute } = this.#hooks.compiled
    return (preExecute?.for(uid, action) ?? null) !== null || (onExecute?.for(uid, action) ?? null) !== null
  }

  /**
   * Plans the test of the links that a write makes through a relation to entries of one type. Null if rules restrict
   * neither the relation nor the entries.
   */
  prepareLink(write: LinkingWrite, step: LinkStep, access: Access): LinkTest | null {
    const { isDropped, plan } = planLink(this.#planning, write, step, access)
    if (isDropped) return { isDropped, compiled: null }
    return plan === null ? null : { isDropped, compiled: compilePlan(this.database.dialect, plan) }
  }

  /** Those of the ids that the rules of a link let the caller link. Hooks of reads do not run. */
  async findLinkable(compiled: CompiledPlan, ids: readonly number[], context: Context): Promise<Set<number>> {
    const parsed = { query: compiled.plan.query, values: [ids], pagination: null }
    const { rows } = await this.runWithoutHooks({ compiled, parsed, bound: null, cost: ids.length }, context)
    return new Set(rows.rows.map(([id]) => Number(id)))
  }

  /** Runs a query of the kernel's own on the database, whatever hooks there are, and without a limit of rows. */
  runWithoutHooks({ compiled, parsed, bound }: Prepared, context: Context): Promise<ReadResult> {
    const rowCount = new RowCount(Number.POSITIVE_INFINITY)
    const own = bound ?? this.#bind(compiled, parsed.values, context)
    return this.#execute(compiled, { parsed, bound: own, context, rowCount })
  }

  async #runWithHooks(execution: Execution): Promise<ReadResult> {
    const { compiled, parsed, bound, context } = execution
    const { uid, action } = parsed.query
    const { preExecute, onExecute } = this.#hooks.compiled
    const early = await preExecute?.for(uid, action)?.(execution)
    if (early !== undefined) return ownNode(compiled, early as ReadResult)
    const rowCount = this.#rowCountOf(parsed, context)
    const result = await this.#execute(compiled, { parsed, bound, context, rowCount })
    await onExecute?.for(uid, action)?.(execution, result)
    return result
  }

  /** The id of the first entry that fulfils a condition, even if plugins hide it from callers; or null. */
  async firstId(uid: string, where: Params, context: Context): Promise<number | null> {
    const options = { uid, action: 'update', stage: 'lookup', pagination: null, internal: true } as const
    const parsed = this.parse({ filters: where, sort: 'id' }, options)
    const { rows } = await this.runWithoutHooks(this.prepare(parsed, context), context)
    return rows.rows.length === 0 ? null : (rows.rows[0]![0] as number)
  }

  #bind(compiled: CompiledPlan, values: readonly unknown[], context: Context): BoundPlan {
    const entries = bind(compiled.entries, values, context, null, this.#roomOf(compiled))
    if (compiled.total === null) return { entries, total: null, totalKey: '' }
    const total = bind(compiled.total, values, context)
    return { entries, total, totalKey: this.#totals.keyOf(compiled.total, total) }
  }

  /** The rows that a query may fetch if nothing else has been fetched. */
  #roomOf({ plan: { query } }: CompiledPlan): number {
    return query.internal ? Number.POSITIVE_INFINITY : this.#maxRows
  }

  #plan(parsed: ParsedQuery, access: Access): CompiledPlan {
    const key = `${access.key} ${parsed.query.shape}`
    const known = this.plans.get(key)
    if (known !== undefined) return known
    const plan = compilePlan(this.database.dialect, makePlan(this.#planning, parsed.query, access))
    this.plans.set(key, plan)
    return plan
  }

  async #execute(compiled: CompiledPlan, { parsed, bound, context, rowCount }: Bindings): Promise<ReadResult> {
    const { action, internal } = parsed.query
    const isRead = action === 'find' || action === 'findOne' || action === 'count'
    // The answer of a write is read within its transaction, where a client's populate must not take long.
    const isBrief = !isRead && !internal && context.request !== undefined
    if (rowCount.refusal !== null) throw rowCount.refusal
    const { values } = parsed
    const roomy =
      rowCount.rows === 0 ? bound : { ...bound, entries: bind(compiled.entries, values, context, null, rowCount.left) }
    const work = async (session: Session) => {
      const page = await this.#totals.readPage(session, compiled, roomy, parsed)
      const fetch: Fetch = { session, values, context, entries: page.rows.length, rowCount, counted: 0 }
      try {
        countRows(fetch, page.rows.length)
        const below = fetchBelow(fetch, compiled.root, page.rows)
        return { ...page, rows: below instanceof Promise ? await below : below }
      } catch (error) {
        page.awaited?.wait.leave()
        // The read may begin again, in a process of its own.
        rowCount.remove(fetch.counted)
        throw error
      }
    }
    const read = <T>(work: (session: Session) => Promise<T>, shape: object) =>
      isBrief
        ? this.database.readBriefly(work, context.isAbandoned)
        : this.database.read(work, context.isAbandoned, shape)
    let page: Awaited<ReturnType<typeof work>>
    try {
      page = await read(work, compiled)
    } catch (error) {
      // A read that was abandoned because another one of its request has exceeded the limit says so, too.
      throw rowCount.refusal ?? error
    }
    const { rows, total, awaited } = page
    if (awaited === null) return { rows, total }
    // Without a connection: those that wait must not keep others from reading.
    return { rows, total: await this.#totals.settle(awaited, count => read(count, compiled.total!)) }
  }

  /** The content types and components. */
  get registry(): Registry {
    return this.#registry
  }
}

/** The result with the node of this plan: a plugin may return rows that were read with an earlier plan of the query. */
function ownNode({ root }: CompiledPlan, result: ReadResult): ReadResult {
  const { rows } = result
  return rows.node === root ? result : { ...result, rows: { ...rows, node: root } }
}
