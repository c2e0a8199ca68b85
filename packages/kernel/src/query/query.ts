// What was asked: names and structure, the values lifted out into slots. Whether it makes sense is the planner's business.

import type { Operator } from './operators.ts'

/** Place of a value in the list that comes with a query; the plan knows places, never values. */
export type Slot = number

/** A filter, by names. `within` descends into an attribute; tests apply to the attribute they stand in. */
export type Predicate =
  | { readonly op: 'and' | 'or'; readonly of: readonly Predicate[] }
  | { readonly op: 'not'; readonly of: Predicate }
  | { readonly op: 'within'; readonly name: string; readonly of: Predicate }
  | { readonly op: 'test'; readonly operator: Operator; readonly operand: Slot; readonly path: string }
  | { readonly op: 'null'; readonly isNull: boolean }

/** One sort key: names from the root to a scalar. */
export interface Sort {
  readonly path: readonly string[]
  readonly descending: boolean
}

/** Use of a plugin's parameter: its shape is part of the plan, its value is bound. */
export interface ParameterUse {
  readonly name: string
  readonly shape: string
  readonly slot: Slot
}

/** What may be asked of a set of entries, at the root and in every populate. */
export interface Selection {
  /** Null: all readable scalars. */
  readonly fields: readonly string[] | null
  readonly filters: Predicate | null
  readonly sort: readonly Sort[]
  /** `all` adds every populatable attribute to the named ones. */
  readonly populate: { readonly all: boolean; readonly named: readonly Populate[] }
  readonly parameters: readonly ParameterUse[]
}

/** A populated attribute. */
export interface Populate {
  readonly name: string
  readonly selection: Selection
  /** Only these component or entry types, each with its own selection (B-2.69, B-2.70). */
  readonly on: readonly { readonly uid: string; readonly selection: Selection }[] | null
  /** The number of linked entries instead of the entries (B-2.73). */
  readonly count: boolean
  /** Slots of offset and limit, per parent; null: all. */
  readonly page: { readonly start: Slot; readonly limit: Slot } | null
  /** Reverses the stored order (B-2.80). */
  readonly reversed: boolean
}

/** How a list is cut, as parsed; numbers are values, their presence is shape. */
export interface Pagination {
  readonly mode: 'page' | 'offset'
  readonly page: number
  readonly pageSize: number
  readonly start: number
  /** -1: no limit (B-2.38). */
  readonly limit: number
  readonly withCount: boolean
}

/** What is done. Writes ask, too: for the entry they answer with. */
export type Action = 'find' | 'findOne' | 'count' | 'create' | 'update' | 'delete'

/** A question about one content type. */
export interface Query {
  readonly uid: string
  readonly action: Action
  readonly selection: Selection
  /** The `_q` text (B-2.142); a numeric text is looked for in numbers too. */
  readonly search: { readonly slot: Slot; readonly isNumeric: boolean } | null
  /** Slot of the wanted id, for findOne. */
  readonly id: Slot | null
  /** Slots of offset and limit; null: the whole list. */
  readonly page: { readonly start: Slot; readonly limit: Slot } | null
  readonly counted: boolean
  /** The kernel's own look at an entry: private values are shown, too. */
  readonly internal: boolean
  /** Do entries carry their own `meta`? */
  readonly meta: boolean
  /** Equal for questions that differ in values only. */
  readonly shape: string
}

/** A query with what it is asked about. */
export interface ParsedQuery {
  readonly query: Query
  readonly values: readonly unknown[]
  readonly pagination: Pagination | null
}
