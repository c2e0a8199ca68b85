// Declares a query: names and structure, with values replaced by slots. The planner checks whether it fits the model.

import type { Operator } from './operators.ts'

/** Index of a value in the list that accompanies a query; a plan contains slots, never values. */
export type Slot = number

/** A filter, by names. `within` descends into an attribute; tests apply to the attribute around them. */
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

/** A parameter of a plugin in a query: its shape is part of the plan, its value is bound. */
export interface ParameterUse {
  readonly name: string
  readonly shape: string
  readonly slot: Slot
  /** The place where it was sent: its name, or `populate.author.<name>`. */
  readonly path: string
}

/** The clauses that apply to a set of entries, at the root and in every populate. */
export interface Selection {
  /** Null: all readable scalars. */
  readonly fields: readonly string[] | null
  readonly filters: Predicate | null
  readonly sort: readonly Sort[]
  /** `all`: every populatable attribute in addition to the named ones. */
  readonly populate: { readonly all: boolean; readonly named: readonly Populate[] }
  readonly parameters: readonly ParameterUse[]
}

/** A populated attribute. */
export interface Populate {
  /** The key in the answer, unique among the populates: the name of the attribute, unless code chose another. */
  readonly key: string
  /** The attribute. */
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

/** The parsed page of a list. The numbers are values; their presence belongs to the shape. */
export interface Pagination {
  readonly mode: 'page' | 'offset'
  readonly page: number
  readonly pageSize: number
  readonly start: number
  /** -1: no limit (B-2.38). */
  readonly limit: number
  readonly withCount: boolean
}

/** The actions that read. */
export type ReadAction = 'find' | 'findOne' | 'count'

/** The action. Writes have a query too, for the entry that they answer. */
export type Action = ReadAction | 'create' | 'update' | 'delete'

/**
 * The purpose of a query. `read`: a caller reads; `target`: finds the entry that an update or deletion will change;
 * `result`: finds the entry that a creation or update has written, before it is committed; `answer`: reads the answer
 * to a write; `lookup`: the kernel itself reads for a write, without hooks.
 */
export type Stage = 'read' | 'target' | 'result' | 'answer' | 'lookup'

/** True if entries have their own `meta`. `unread`: they could have it, but the transport is set to leave it out. */
export type OwnMeta = boolean | 'unread'

/** A query for one content type. */
export interface Query {
  readonly uid: string
  readonly action: Action
  readonly stage: Stage
  readonly selection: Selection
  /** The `_q` text (B-2.142); numeric text is also searched for in numbers. */
  readonly search: { readonly slot: Slot; readonly isNumeric: boolean } | null
  /** Slot of the id, for findOne. */
  readonly id: Slot | null
  /** Slot of the ids of entries that the caller has already, so that nothing hides them (`ReadRequest.entries`). */
  readonly ids: Slot | null
  /** Slots of offset and limit; null: the whole list. */
  readonly page: { readonly start: Slot; readonly limit: Slot } | null
  readonly counted: boolean
  /** True if this is a read of the kernel itself, which includes private values. */
  readonly internal: boolean
  /** True if entries have their own `meta`. */
  readonly meta: OwnMeta
  /** The nodes that it may have, if that is more than callers may ask for (`withMaxCost`); null for the usual limit. */
  readonly maxCost: number | null
  /** True if names that mean nothing are refused (`ReadRequest.refuseUnknown`). */
  readonly refusesUnknown?: boolean
  /** Equal for queries that differ only in values. */
  readonly shape: string
}

/** A query with its values. */
export interface ParsedQuery {
  readonly query: Query
  readonly values: readonly unknown[]
  readonly pagination: Pagination | null
  /** The names that mean nothing, for the hook `onRemark`; left out if there are none, or if it has no listener. */
  readonly remarks?: readonly string[]
}
