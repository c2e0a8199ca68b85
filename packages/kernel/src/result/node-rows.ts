// The raw rows of an answer, assigned to their parents: what transports and sizes read. Does not know how they are
// fetched.

import type { AnswerNode } from './answer-node.ts'

/** A raw row: `[id, …columns]`, followed by further columns for branches. */
export type Row = unknown[]

/** The rows of one node with those of its branches. */
export interface NodeRows {
  readonly node: AnswerNode
  readonly rows: readonly Row[]
  /** Parallel to the node's branches. */
  readonly branches: readonly BranchRows[]
  /** Parallel to the node's meta: raw values by entry id, for its `json`. */
  readonly meta: readonly ReadonlyMap<unknown, readonly unknown[]>[]
}

/** A row of a zone or polymorphic relation, with the rows of the child it belongs to. */
export interface Member {
  readonly row: Row
  readonly of: NodeRows
}

/** The populated rows of one key, or their numbers, by parent id. */
export type BranchRows =
  | { readonly kind: 'rows'; readonly groups: ReadonlyMap<unknown, readonly Row[]>; readonly child: NodeRows }
  | { readonly kind: 'members'; readonly groups: ReadonlyMap<unknown, readonly Member[]> }
  | { readonly kind: 'count'; readonly groups: ReadonlyMap<unknown, number> }
  | { readonly kind: 'empty' }
