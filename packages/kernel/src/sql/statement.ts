// Declares a statement: its text and the functions that return its bind values. It is compiled once per plan and bound
// for each request.

import type { Context } from '../context.ts'
import type { Operand } from '../plan/operand.ts'
import type { Bound } from './dialect.ts'

/** Returns the bind values of one place in a statement; `room` is that of `bind`. */
export type Binder = (
  values: readonly unknown[],
  context: Context,
  parents: readonly unknown[] | null,
  room: number,
) => readonly Bound[]

/** Text for the driver and a binder for each place, in order. */
export interface Statement {
  readonly text: string
  readonly binders: readonly Binder[]
  /** True if a value depends on the request, so that its bind values cannot be remembered. */
  readonly isPerRequest: boolean
  /** True if it returns at most one row more than there is room for. */
  readonly isBounded: boolean
  /** The binders that may refuse a value. */
  readonly valueChecks: ValueChecks
}

/**
 * The binders that may refuse a value, by what it depends on. They throw ValidationError for a value that is not valid.
 */
export interface ValueChecks {
  /** Of values that were sent, and of constants. */
  readonly sent: readonly Binder[]
  /** Of values with a check that are computed for each request. */
  readonly perRequest: readonly Binder[]
}

/**
 * The bind values for one execution. `room`: the number of rows that the caller has room for; Infinity if it is not
 * limited. Throws ValidationError for invalid values.
 */
export function bind(
  statement: Statement,
  values: readonly unknown[],
  context: Context,
  parents: readonly unknown[] | null = null,
  room = Number.POSITIVE_INFINITY,
): Bound[] {
  const bound: Bound[] = []
  for (const binder of statement.binders) for (const value of binder(values, context, parents, room)) bound.push(value)
  return bound
}

/** The value of an operand: sent by the client, or computed from the context. */
export function operandValue(operand: Operand, values: readonly unknown[], context: Context): unknown {
  return 'slot' in operand ? values[operand.slot] : operand.perRequest(context)
}

/** One row more than there is room for; -1 if that is not limited. */
export function beyond(room: number): number {
  return room < Number.MAX_SAFE_INTEGER ? room + 1 : -1
}
