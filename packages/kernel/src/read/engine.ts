// READ FIRST: the way of a question through the kernel, on one page.
//
//   params ──parse──▶ Query + values ──plan──▶ Plan ──compile──▶ statements     once per shape, kept
//                                     ──bind──▶ execute ──▶ rows                 every time
//
// Knows no door and no plugin.

import { LRUCache } from 'lru-cache'
import type { Access, Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import type { Session } from '../database/session.ts'
import { ForbiddenError } from '../errors.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { Registry } from '../model/registry.ts'
import { makePlan } from '../plan/planner.ts'
import type { Planning } from '../plan/scope.ts'
import { type Params, type ParseOptions, parseQuery } from '../query/parse.ts'
import type { ParsedQuery } from '../query/query.ts'
import type { Grammar } from '../query/shape.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import { type BoundPlan, Execution, type Prepared, type ReadResult, toText } from '../answer/execution.ts'
import { fetchBelow } from '../answer/rows.ts'
import { type CompiledPlan, compilePlan } from '../sql/compile.ts'
import { bind } from '../sql/statement.ts'
import { Totals } from './totals.ts'

/** The words of questions, and what they are to a plan. */
interface EngineGrammar extends Grammar {
  readonly parameters: Planning['parameters']
}

/** Bounds of an engine. */
export interface EngineLimits {
  /** Plans kept at a time. */
  readonly maxPlans: number
  /** Content types and components that one question may visit. */
  readonly maxCost: number
}

/** Parses, plans, compiles, binds and executes. */
export class Engine {
  readonly database: Database
  readonly #registry: Registry
  readonly #hooks: HookRegistry
  readonly #grammar: EngineGrammar
  readonly #planning: Planning
  /** Plans by rights and shape. */
  readonly plans: LRUCache<string, CompiledPlan>
  readonly #totals: Totals
  readonly lifecycles: Lifecycles

  constructor(
    database: Database,
    registry: Registry,
    hooks: HookRegistry,
    grammar: EngineGrammar,
    lifecycles: Lifecycles,
    limits: EngineLimits,
  ) {
    this.lifecycles = lifecycles
    this.database = database
    this.#totals = new Totals(database)
    this.#registry = registry
    this.#hooks = hooks
    this.#grammar = grammar
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

  /** Reads a door's parameters. Throws ValidationError and PaginationError. */
  parse(params: Params, options: ParseOptions): ParsedQuery {
    return parseQuery(this.#grammar, params, options)
  }

  /** Finds or makes the plan and binds what can be bound for good. Throws for names and values that do not fit. */
  prepare(parsed: ParsedQuery, context: Context): Prepared {
    const { uid, action } = parsed.query
    // A write has asked for its own right before it asks for its answer.
    if (action === 'find' || action === 'findOne' || action === 'count')
      authorize(uid, action === 'count' ? 'find' : action, context.access)
    const compiled = this.#plan(parsed, context.access)
    const bound = compiled.isLate ? null : bindPlan(compiled, parsed.values, context)
    for (const statement of compiled.checked) bind(statement, parsed.values, context, [])
    return { compiled, parsed, bound }
  }

  /** The same question about another id: nothing is planned or parsed again. */
  rebind(prepared: Prepared, id: unknown, context: Context): Prepared {
    const { compiled, parsed } = prepared
    const slot = parsed.query.id!
    if (parsed.values[slot] === id) return prepared
    const values = [...parsed.values]
    values[slot] = id
    const bound = compiled.isLate ? null : bindPlan(compiled, values, context)
    return { compiled, parsed: { ...parsed, values }, bound }
  }

  /** Runs a prepared question. */
  run(prepared: Prepared, context: Context): Promise<ReadResult> {
    const { compiled, parsed } = prepared
    const bound = prepared.bound ?? bindPlan(compiled, parsed.values, context)
    const { preExecute, onExecute } = this.#hooks.compiled
    if (preExecute === null && onExecute === null) return this.#execute(compiled, parsed, bound, context)
    return this.#runHeard(new Execution(prepared, bound, context))
  }

  async #runHeard(execution: Execution): Promise<ReadResult> {
    const { compiled, parsed, bound, context } = execution
    const { uid, action } = parsed.query
    const { preExecute, onExecute } = this.#hooks.compiled
    const early = await preExecute?.for(uid, action)?.(execution)
    if (early !== undefined) return ownNode(compiled, early as ReadResult)
    const result = await this.#execute(compiled, parsed, bound, context)
    await onExecute?.for(uid, action)?.(execution, result)
    return result
  }

  /** Id of the first entry that fulfils a condition, past every read rule; null where none does. */
  async firstId(uid: string, where: Params, context: Context): Promise<number | null> {
    const options = { uid, action: 'update', pagination: null, internal: true } as const
    const parsed = this.parse({ filters: where, sort: 'id' }, options)
    const { rows } = await this.run(this.prepare(parsed, context), context)
    return rows.rows.length === 0 ? null : (rows.rows[0]![0] as number)
  }

  #plan(parsed: ParsedQuery, access: Access): CompiledPlan {
    const key = `${access.key} ${parsed.query.shape}`
    const known = this.plans.get(key)
    if (known !== undefined) return known
    const plan = compilePlan(this.database.dialect, makePlan(this.#planning, parsed.query, access))
    this.plans.set(key, plan)
    return plan
  }

  async #execute(compiled: CompiledPlan, parsed: ParsedQuery, bound: BoundPlan, context: Context): Promise<ReadResult> {
    const { action, internal } = parsed.query
    const isRead = action === 'find' || action === 'findOne' || action === 'count'
    // The answer of a write is read within its transaction. What a client asks for with it must not take long there.
    const isBrief = !isRead && !internal && context.request !== undefined
    const work = async (session: Session) => {
      const { rows, total } = await this.#totals.readPage(session, compiled, bound, parsed)
      const fetch = { session, values: parsed.values, context, entries: rows.length }
      return { rows: await fetchBelow(fetch, compiled.root, rows), total }
    }
    return isBrief
      ? this.database.readBriefly(work, context.isAbandoned)
      : this.database.read(work, context.isAbandoned, compiled)
  }

  /** The compiled type of a uid; throws for unknown ones. */
  get registry(): Registry {
    return this.#registry
  }
}

function bindPlan(compiled: CompiledPlan, values: readonly unknown[], context: Context): BoundPlan {
  const entries = bind(compiled.entries, values, context)
  const total = compiled.total === null ? null : bind(compiled.total, values, context)
  const totalKey = total === null ? '' : `${compiled.total!.text} ${toText(total)}`
  return { entries, total, totalKey }
}

/** The result by the caller's own plan: a plugin may answer with rows that were read for an earlier one. */
function ownNode({ root }: CompiledPlan, result: ReadResult): ReadResult {
  const { rows } = result
  return rows.node === root ? result : { ...result, rows: { ...rows, node: root } }
}

/** Rights on the action itself; rights on what a question passes through are plan-time hooks' business. */
export function authorize(uid: string, action: string, access: Access): void {
  if (!access.can(`${uid}.${action}`)) throw new ForbiddenError()
}
