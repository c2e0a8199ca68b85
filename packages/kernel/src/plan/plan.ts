// The types of a plan: a tree with one node per content type or component that a query visits. A plan depends only on
// the shape of the query and the rights of the caller, never on values.

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
import type { Query, Slot } from '../query/query.ts'
import type { Calculation } from './calculation.ts'
import type { Operand } from './operand.ts'

/** A column of the table of a node. `id` has a storage of its own. */
export interface Column {
  /** The table; empty for `id`, which every table has. */
  readonly table: string
  readonly name: string
  readonly column: string
  readonly storage: Storage | 'id'
}

/** A condition with its names resolved. `linked` is a semi-join: no duplicates, no DISTINCT. */
export type Test =
  | { readonly op: 'and' | 'or'; readonly of: readonly Test[] }
  | { readonly op: 'not'; readonly of: Test }
  /** A condition of plugins on the node. If it is not narrow, an index on it does not help to find a list. */
  | { readonly op: 'rule'; readonly of: Test; readonly isNarrow: boolean }
  /** The test that each of these per-request values is there: not null, and not a list that contains null. */
  | { readonly op: 'given'; readonly operands: readonly Operand[] }
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
      /** The conditions of plugins on the target. A link to an entry that does not fulfil them counts as missing. */
      readonly visible: Test | null
      /** True if entries without any visible link fulfil it too: `[author][name][$null]=true` (B-2.113). */
      readonly orMissing: boolean
    }

/** The step from one type to another, through a relation or a component. */
export interface RelationStep {
  readonly from: ContentType
  readonly attribute: RelationAttribute | ComponentAttribute
  readonly to: ContentType
}

/** One sort key: a column, reached through steps. */
export interface Order {
  readonly steps: readonly { readonly step: RelationStep; readonly visible: Test | null }[]
  readonly column: Column
  readonly descending: boolean
}

/**
 * A member of the `meta` of each entry: the values of one column of the entries linked by a relation, as a list, or one
 * value that is calculated of them.
 */
export interface MetaMember {
  readonly name: string
  /** Null if the member is the list. */
  readonly calculation: Calculation | null
  readonly step: RelationStep
  readonly column: Column
  readonly visible: Test | null
}

interface BranchBase {
  /** The key in the answer; unique among the branches of a node. */
  readonly key: string
  /** The attribute. */
  readonly name: string
  /** The slots of offset and limit, which apply per parent. */
  readonly page: { readonly start: Slot; readonly limit: Slot } | null
  readonly reversed: boolean
}

/** A branch of a node: the attribute that is populated under one key. */
export type Branch =
  | (BranchBase & { readonly kind: 'relation'; readonly attribute: RelationAttribute; readonly node: PlanNode })
  | (BranchBase & { readonly kind: 'component'; readonly attribute: ComponentAttribute; readonly node: PlanNode })
  | (BranchBase & { readonly kind: 'zone'; readonly attribute: ZoneAttribute; readonly nodes: readonly PlanNode[] })
  | (BranchBase & {
      readonly kind: 'morph'
      readonly attribute: RelationAttribute
      /** The nodes of all types that may be linked, by uid. */
      readonly nodes: ReadonlyMap<Uid, PlanNode>
    })
  | (BranchBase & { readonly kind: 'count'; readonly attribute: RelationAttribute; readonly node: PlanNode })
  | (BranchBase & { readonly kind: 'empty'; readonly attribute: DormantAttribute })

/** The part of a plan that is about one content type or component. */
export interface PlanNode {
  readonly type: ContentType
  /** `id` first, then the selected scalars. */
  readonly columns: readonly Column[]
  readonly attributes: readonly ScalarAttribute[]
  readonly where: Test | null
  readonly order: readonly Order[]
  readonly branches: readonly Branch[]
  readonly meta: readonly MetaMember[]
  /** True if a query of a single type returns all its entries instead of one. */
  readonly isList: boolean
  /** True if `prePlan` hooks hide entries of the node from the caller. */
  readonly isRestricted: boolean
  /** True if values are answered as they are stored. */
  readonly isStored?: boolean
  /** The attributes that `prePlan` hooks hide of the node. */
  readonly hidden?: ReadonlySet<string>
}

/** The plan of a query. */
export interface Plan {
  readonly query: Query
  readonly root: PlanNode
  /** The content types and components whose changes may change the answer. */
  readonly reads: ReadonlySet<Uid>
  /** The attributes that the data of the write may not change, by the rules of plugins on its result. */
  readonly forbidden: ReadonlySet<string>
  /** The attributes that plugins have declared to keep from the caller by hooks of writes. */
  readonly closed: ReadonlySet<string>
  /** The remarks on requested parts that are not answered, for the hook `onRemark`; empty if it has no listener. */
  readonly remarks: readonly string[]
}
