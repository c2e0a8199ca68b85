// A statement: its text and how its values are found. Made once per plan, bound for each question.

import type { Context } from '../context.ts'
import type { Operand } from '../plan/parameters.ts'
import type { Bound } from './dialect.ts'

/** Gives the bind values of one place in a statement. */
export type Binder = (
  values: readonly unknown[],
  context: Context,
  parents: readonly unknown[] | null,
) => readonly Bound[]

/** Text for the driver and a binder for each place, in order. */
export interface Statement {
  readonly text: string
  readonly binders: readonly Binder[]
  /** A value depends on the request: binding cannot be remembered. */
  readonly isLate: boolean
}

/** The bind values for one execution. Throws ValidationError for values that do not fit. */
export function bind(
  statement: Statement,
  values: readonly unknown[],
  context: Context,
  parents: readonly unknown[] | null = null,
): Bound[] {
  const bound: Bound[] = []
  for (const binder of statement.binders) for (const value of binder(values, context, parents)) bound.push(value)
  return bound
}

/** The sent or computed value of an operand. */
export function operandValue(operand: Operand, values: readonly unknown[], context: Context): unknown {
  return 'slot' in operand ? values[operand.slot] : operand.perRequest(context)
}
