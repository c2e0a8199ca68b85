// A question on its way to an answer, in the forms that reads, writes and hooks hand to each other.

import type { Context } from '../context.ts'
import type { Uid } from '../model/content-type.ts'
import type { ParsedQuery, Query } from '../query/query.ts'
import type { CompiledBranch, CompiledNode, CompiledPlan } from '../sql/compile.ts'
import type { Bound } from '../sql/dialect.ts'
import { bind, type Statement } from '../sql/statement.ts'
import type { Entry, NodeRows } from './rows.ts'

/** A question ready to run again and again: planned, compiled, and bound as far as it does not depend on the request. */
export interface Prepared {
  readonly compiled: CompiledPlan
  readonly parsed: ParsedQuery
  /** Null where a late value must be bound per request. */
  readonly bound: Readonly<BoundPlan> | null
}

/** What a question's statements are run with. */
export interface BoundPlan {
  readonly entries: readonly Bound[]
  readonly total: readonly Bound[] | null
  readonly totalKey: string
}

/** One run of a question, as hooks see it. */
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
  constructor(prepared: Prepared, bound: Readonly<BoundPlan>, context: Context) {
    this.compiled = prepared.compiled
    this.parsed = prepared.parsed
    this.bound = bound
    this.context = context
  }

  get query(): Query {
    return this.parsed.query
  }

  /** Content types whose changes may change the answer. */
  get reads(): ReadonlySet<Uid> {
    return this.compiled.plan.reads
  }

  /**
   * Equal for runs whose answers are equal as long as nothing is written: the rights, the shape, and all values, those that depend
   * on the request included, in what is populated too. Made when it is asked for.
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

/** Values as text; equal texts for equal values only. */
export function toText(values: unknown): string {
  return JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** The statements of what is populated, at every level. */
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
  /** Null where nobody asked for it. */
  readonly total: number | null
  /** Set where a lifecycle looked at the entries and may have changed them: doors then answer these. */
  readonly entries?: readonly Entry[]
}
