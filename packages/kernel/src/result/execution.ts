// Declares the forms of a query between parsing and answer, as reads, writes and hooks exchange them.

import type { Context } from '../context.ts'
import type { Uid } from '../model/content-type.ts'
import type { ParsedQuery, Query } from '../query/query.ts'
import type { CompiledBranch, CompiledNode, CompiledPlan } from '../sql/compile.ts'
import type { Bound } from '../sql/dialect.ts'
import { bind, type Statement } from '../sql/statement.ts'
import type { NodeRows } from './node-rows.ts'
import type { Entry } from './rows.ts'

/**
 * A query that can be executed repeatedly: planned, compiled, and bound as far as it does not depend on the request.
 */
export interface PreparedQuery {
  readonly compiled: CompiledPlan
  readonly parsed: ParsedQuery
  /** Null if a per-request value must be bound. */
  readonly bound: Readonly<BoundPlan> | null
  /** The rows that the answer may fetch. */
  readonly cost: number
}

/** The bind values of a query's statements. */
export interface BoundPlan {
  readonly entries: readonly Bound[]
  readonly total: readonly Bound[] | null
  readonly totalKey: string
  /** The values of the page that also counts; null if the query has none. */
  readonly counted: readonly Bound[] | null
}

/** One execution of a query, as hooks receive it. */
export class Execution {
  readonly context: Context
  /** @internal */
  readonly compiled: CompiledPlan
  /** @internal */
  readonly parsed: ParsedQuery
  /** @internal */
  readonly bound: Readonly<BoundPlan>
  #identity: string | null = null

  /** @internal */
  constructor(prepared: PreparedQuery, bound: Readonly<BoundPlan>, context: Context) {
    this.compiled = prepared.compiled
    this.parsed = prepared.parsed
    this.bound = bound
    this.context = context
  }

  get query(): Query {
    return this.parsed.query
  }

  /** Content types whose changes may affect the answer. */
  get reads(): ReadonlySet<Uid> {
    return this.compiled.plan.reads
  }

  /**
   * Equal for executions whose answers are equal as long as nothing is written. It contains the rights, the shape and
   * all values, also per-request values and those of populated branches. Computed at the first access.
   */
  get identity(): string {
    this.#identity ??= this.#identify()
    return this.#identity
  }

  #identify(): string {
    const { compiled, parsed, bound, context } = this
    const below = statementsBelow(compiled.root).map(statement => bind(statement, parsed.values, context, []))
    const values = [parsed.values, bound.entries, bound.total, below]
    return `${context.access.key} ${parsed.query.shape} ${toText(values)}`
  }
}

/** Values as text; only equal values have equal texts. */
export function toText(values: readonly unknown[]): string {
  // A replacer makes JSON.stringify several times slower, and keys of totals are made for each request.
  return mayHoldBigint(values) ? JSON.stringify(values, replaceBigint) : JSON.stringify(values)
}

function replaceBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

function mayHoldBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (Array.isArray(value)) return value.some(mayHoldBigint)
  return typeof value === 'object' && value !== null
}

/** The statements of populated branches and meta lists, at every level. */
function statementsBelow({ branches, meta }: CompiledNode): Statement[] {
  return [...branches.flatMap(statementsOf), ...meta.map(one => one.statement)]
}

function statementsOf(branch: CompiledBranch): Statement[] {
  if (branch.kind === 'empty') return []
  if (branch.kind === 'count') return [branch.statement]
  if (branch.kind === 'relation' || branch.kind === 'component')
    return [branch.statement, ...statementsBelow(branch.child)]
  const children = [...branch.children.values()].flatMap(one => [one.statement, ...statementsBelow(one.child)])
  return branch.kind === 'morph' ? [branch.links, ...children] : children
}

/** The answer to a read. */
export interface ReadResult {
  readonly rows: NodeRows
  /** Null if it was not requested. */
  readonly total: number | null
  /** Set if a lifecycle received the entries and may have changed them: transports then answer these. */
  readonly entries?: readonly Entry[]
}
