// Declares the part of an answer's plan that transports need to write its rows: names, codecs and populated branches.
// Statements and conditions stay internal to the kernel. Compiled nodes have this form, so nothing is created for it.

import type {
  ComponentAttribute,
  ContentType,
  DormantAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../model/content-type.ts'
import type { Codec } from '../sql/dialect.ts'

/**
 * One content type or component in an answer. It is the same object for all answers of one plan, so writers can be
 * cached by it.
 */
export interface AnswerNode {
  /** The part of the plan that the answer needs. */
  readonly plan: {
    readonly type: ContentType
    /** The selected attributes, in the order of the columns of a row. */
    readonly attributes: readonly ScalarAttribute[]
    /** True if a query of a single type returns all its entries instead of one. */
    readonly isList: boolean
    /** The attributes that `prePlan` hooks hide of the node, if there are any. */
    readonly hidden?: ReadonlySet<string>
  }
  /** One per attribute: converts the raw value of a column to a value or to JSON text. */
  readonly codecs: readonly Codec[]
  /** The populated branches. Rows of an answer have the same order. */
  readonly branches: readonly AnswerBranch[]
  /** The members of each entry's own `meta`. `json` writes the raw values of one entry: a list, or one value. */
  readonly meta: readonly { readonly name: string; readonly json: (raw: readonly unknown[]) => string }[]
}

interface PopulatedAttribute<Attribute> {
  /** The key in the answer: the name of the attribute, unless the query chose another by `under`. */
  readonly key: string
  /** The attribute. */
  readonly name: string
  readonly attribute: Attribute
}

/** A branch of a node: the attribute that is populated under one key. */
export type AnswerBranch =
  | { readonly kind: 'relation'; readonly plan: PopulatedAttribute<RelationAttribute>; readonly child: AnswerNode }
  | { readonly kind: 'component'; readonly plan: PopulatedAttribute<ComponentAttribute>; readonly child: AnswerNode }
  | {
      readonly kind: 'zone'
      readonly plan: PopulatedAttribute<ZoneAttribute>
      readonly children: readonly { readonly child: AnswerNode }[]
    }
  | {
      readonly kind: 'morph'
      readonly plan: PopulatedAttribute<RelationAttribute>
      /** By uid. */
      readonly children: ReadonlyMap<string, { readonly child: AnswerNode }>
    }
  /** The number of linked entries. */
  | { readonly kind: 'count'; readonly plan: PopulatedAttribute<RelationAttribute> }
  /** An attribute whose plugin is not enabled. */
  | { readonly kind: 'empty'; readonly plan: PopulatedAttribute<DormantAttribute> }
