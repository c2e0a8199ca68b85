// The ways in which the nodes of a plan are reached, and the parts of a planning and its nodes that the resolution of
// names needs. Knows neither the draft that plugins change nor how its conditions come about.

import type { Attribute, ContentType, RelationAttribute } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Query } from '../query/query.ts'
import type { Test } from './plan.ts'

/**
 * The way in which a node is reached. `root`: the query is about it. `populate`: it is populated. `filter`, `sort`: a
 * filter or a sort key of the caller passes it, or the condition of a parameter that the caller sent. `rule`: another
 * condition of a plugin passes it (`linked`). `meta`: the `meta` of entries takes its values (`draft.meta`). `link`:
 * the data of a write links to it.
 *
 * On `filter` and `sort`, names that the caller may not ask about can be refused. On `rule` they must not be, because
 * rules may compare with values that their caller cannot read; parameters act there with their fallbacks, whatever the
 * caller sent.
 */
export type Via = 'root' | 'populate' | 'filter' | 'sort' | 'rule' | 'meta' | 'link'

/** A node, and how it is reached. */
export interface ReachedNode {
  readonly type: ContentType
  readonly via: Via
  /** The attribute that leads to it, of the node before; null at the root. */
  readonly through: Attribute | null
  /** Of a link: the relations of the type that show it from the other side. */
  readonly inverses?: readonly RelationAttribute[]
  readonly path: string
}

/** A node that was opened: its type, and what plugins hide of it. */
export interface OpenNode {
  readonly type: ContentType
  readonly query: Query
  /** The conditions of plugins on its entries, as one test. */
  readonly rules: Test | null
  /** True if the branch, member or relation that leads to the node is left out. */
  readonly isDropped: boolean
  hides(name: string): boolean
  /** Returns whether the caller may name and read the attribute. */
  isReadable(attribute: Attribute): boolean
}

/** The part of a planning that opens nodes. */
export interface NodeOpener {
  readonly registry: Registry
  open(reached: ReachedNode): OpenNode
}
