// Conditions as plugins write them, by attribute name: `node.where(isNotNull('approvedAt'))`. The planner resolves the
// names.

import type { Comparison, Operator } from '../query/operators.ts'
import type { Operand } from './operand.ts'

export type { Operand } from './operand.ts'

/** A condition on the entries of one content type. */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition }
  | { readonly op: 'null'; readonly attribute: string; readonly isNull: boolean }
  | { readonly op: 'compare'; readonly attribute: string; readonly comparison: Comparison; readonly operand: Operand }
  | { readonly op: 'operator'; readonly attribute: string; readonly operator: Operator; readonly operand: Operand }
  | { readonly op: 'linked'; readonly attribute: string; readonly where: Condition | null }
  | { readonly op: 'never' }

export const and = (...of: Condition[]): Condition => ({ op: 'and', of })
export const or = (...of: Condition[]): Condition => ({ op: 'or', of })
export const not = (of: Condition): Condition => ({ op: 'not', of })
export const isNull = (attribute: string): Condition => ({ op: 'null', attribute, isNull: true })
export const isNotNull = (attribute: string): Condition => ({ op: 'null', attribute, isNull: false })
export const compare = (attribute: string, comparison: Comparison, operand: Operand): Condition => ({
  op: 'compare',
  attribute,
  comparison,
  operand,
})
/**
 * Compares with the meaning that a filter operator has for callers: text operators compare any attribute as a text, and
 * operators of plugins use their own SQL. `$null` and `$notNull` are `isNull` and `isNotNull`.
 */
export const compareBy = (attribute: string, operator: Operator, operand: Operand): Condition => ({
  op: 'operator',
  attribute,
  operator,
  operand,
})
export const eq = (attribute: string, operand: Operand): Condition => compare(attribute, 'eq', operand)
export const isIn = (attribute: string, operand: Operand): Condition => compare(attribute, 'in', operand)
/**
 * At least one entry linked by `attribute` fulfils `where`; without `where`, at least one entry is linked. The linked
 * type is a node with the via `rule`, on which parameters and `prePlan` hooks may lay conditions.
 */
export const linked = (attribute: string, where: Condition | null = null): Condition => ({
  op: 'linked',
  attribute,
  where,
})
/** The condition that no entry fulfils. */
export const never: Condition = { op: 'never' }
/** The operand with a check of its value. Unlike the shape, the check runs only if the parameter has an effect. */
export const checked = (operand: Operand, check: (value: unknown) => void): Operand => ({ ...operand, check })
/**
 * An operand that is computed per request, for values that must not become part of plans. A value that is null or
 * undefined fulfils nothing: neither a comparison with it nor `not` of one, nor `not(linked(…))` around one. In a list,
 * null equals nothing, and no entry is outside of a list that contains null. A list fulfils nothing where one value is
 * compared.
 */
export const perRequest = (compute: Extract<Operand, { perRequest: unknown }>['perRequest']): Operand => ({
  perRequest: compute,
})
