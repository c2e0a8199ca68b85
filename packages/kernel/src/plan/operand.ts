// The values that conditions compare with, as plugins and plans name them. Binding them to a statement belongs to
// `sql/`.

import type { Context } from '../context.ts'

/** A parameter that applies to a node: its shape and its value, sent or from its fallback. */
export interface ParameterValue {
  readonly shape: string
  readonly value: Operand
}

/**
 * The value that a condition compares with: the slot of a sent value, or a per-request value. A per-request value that
 * is null or undefined fulfils no comparison, and no negation of one.
 */
export type Operand =
  /** `at`: where a caller sent it, for errors. */
  (
    | { readonly slot: number; readonly at?: string }
    | { readonly perRequest: (context: Context) => unknown; readonly isConstant?: boolean }
  ) & {
    /** Refuses a value by throwing; called only if the value is compared with a column. */
    readonly check?: (value: unknown) => void
  }
