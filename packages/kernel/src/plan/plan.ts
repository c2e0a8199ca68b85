// What will be done for a question: a tree with one node per content type visited. Depends on the question's shape and
// the caller's rights only, never on values.

import type { Storage } from '../model/attribute-types.ts'
import type {
  ComponentAttribute,
  ContentType,
  DormantAttribute,
  RelationAttribute,
  ScalarAttribute,
  Uid,
  ZoneAttribute,
} from '../model/content-type.ts'
import type { Comparison } from '../query/operators.ts'
import type { Operand } from './parameters.ts'
import type { Query, Slot } from '../query/query.ts'

/** A column of a node's table. `id` has a storage of its own. */
export interface Column {
  readonly name: string
  readonly column: string
  readonly storage: Storage | 'id'
}

/** A condition with its names resolved. `linked` is a semi-join: no duplicates, no DISTINCT. */
export type Test =
  | { readonly op: 'and' | 'or'; readonly of: readonly Test[] }
  | { readonly op: 'not'; readonly of: Test }
  /** A plugin's rule on the node: most entries fulfil it, so it is a poor way into a list. */
  | { readonly op: 'rule'; readonly of: Test }
  | { readonly op: 'constant'; readonly value: boolean }
  | { readonly op: 'null'; readonly column: Column; readonly isNull: boolean }
  | {
      readonly op: 'compare'
      readonly column: Column
      readonly comparison: Comparison
      readonly operand: Operand
      /** Sent value → canonical value; throws ValidationError. */
      readonly cast: (value: unknown) => unknown
    }
  | {
      readonly op: 'custom'
      readonly column: Column
      readonly sql: (column: string) => string
      readonly operand: Operand
      readonly encode: (value: unknown) => unknown
    }
  | {
      readonly op: 'linked'
      readonly step: RelationStep
      readonly where: Test | null
      /** What plugins demand of the target; also of the links that count as missing. */
      readonly visible: Test | null
      /** Entries without any visible link fulfil it too: `[author][name][$null]=true` (B-2.113). */
      readonly orMissing: boolean
    }

/** From one node to another. */
export interface RelationStep {
  readonly from: ContentType
  readonly attribute: RelationAttribute | ComponentAttribute
  readonly to: ContentType
}

/** One key of the order: a column, reached through steps. */
export interface Order {
  readonly steps: readonly { readonly step: RelationStep; readonly visible: Test | null }[]
  readonly column: Column
  readonly descending: boolean
}

/** Per-entry meta: the values of one column over the entries linked by a relation. */
export interface MetaList {
  readonly name: string
  readonly step: RelationStep
  readonly column: Column
  readonly visible: Test | null
}

interface BranchBase {
  readonly name: string
  /** Slots of offset and limit, per parent. */
  readonly page: { readonly start: Slot; readonly limit: Slot } | null
  readonly reversed: boolean
}

/** What is populated under one name. */
export type Branch =
  | (BranchBase & { readonly kind: 'relation'; readonly attribute: RelationAttribute; readonly node: PlanNode })
  | (BranchBase & { readonly kind: 'component'; readonly attribute: ComponentAttribute; readonly node: PlanNode })
  | (BranchBase & { readonly kind: 'zone'; readonly attribute: ZoneAttribute; readonly nodes: readonly PlanNode[] })
  | (BranchBase & {
      readonly kind: 'morph'
      readonly attribute: RelationAttribute
      /** By uid, planned for all types that may be linked. */
      readonly nodes: ReadonlyMap<Uid, PlanNode>
    })
  | (BranchBase & { readonly kind: 'count'; readonly attribute: RelationAttribute; readonly node: PlanNode })
  | (BranchBase & { readonly kind: 'empty'; readonly attribute: DormantAttribute })

/** One content type's part of the work. */
export interface PlanNode {
  readonly type: ContentType
  /** `id` first, then the selected scalars in schema order. */
  readonly columns: readonly Column[]
  readonly attributes: readonly ScalarAttribute[]
  readonly where: Test | null
  readonly order: readonly Order[]
  readonly branches: readonly Branch[]
  readonly meta: readonly MetaList[]
  /** A single type answers all its entries instead of one. */
  readonly isList: boolean
}

/** The plan of a query. */
export interface Plan {
  readonly query: Query
  readonly root: PlanNode
  /** Content types whose changes may change the answer. */
  readonly reads: ReadonlySet<Uid>
}
