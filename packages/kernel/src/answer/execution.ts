// A question on its way to an answer, in the forms that reads, writes and hooks hand to each other.

import type { Context } from '../context.ts'
import type { ParsedQuery } from '../query/query.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import type { Bound } from '../sql/dialect.ts'
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
export interface Execution {
  readonly compiled: CompiledPlan
  readonly parsed: ParsedQuery
  readonly bound: Readonly<BoundPlan>
  readonly context: Context
}

/** The answer to a read. */
export interface ReadResult {
  readonly rows: NodeRows
  /** Null where nobody asked for it. */
  readonly total: number | null
  /** Set where a lifecycle looked at the entries and may have changed them: doors then answer these. */
  readonly entries?: readonly Entry[]
}
