// Declares the form of an answer: which members its objects have, in which order, and what each is made from. An output
// is made from a selection alone, so all answers of an operation share it. It contains neither values nor statements.

import type { ScalarAttribute } from '@plinth/kernel'
import type { FieldNode, GraphQLField, GraphQLObjectType } from 'graphql'
import type { PageMember } from '../schema/meaning.ts'
import type { NodeSelection } from './node-selection.ts'

/** An object of an answer. */
export interface ObjectOutput {
  readonly typeName: string
  /** The selection for the entry that it is about; null for lists and what is around them. */
  readonly node: NodeSelection | null
  readonly members: readonly Member[]
}

/** The members of each type of a union, by the uid of the type; types that no fragment names have none. */
export type UnionOutput = ReadonlyMap<string, ObjectOutput>

/** One member of an object; `key` is its name in the answer. */
export type Member =
  | { readonly kind: 'typename'; readonly key: string }
  | { readonly kind: 'id'; readonly key: string }
  | { readonly kind: 'scalar'; readonly key: string; readonly attribute: ScalarAttribute }
  /** An object about the same entry or list: its attributes, the meta of a list. */
  | { readonly kind: 'same'; readonly key: string; readonly of: ObjectOutput }
  /** The `data` of a response or a list. */
  | { readonly kind: 'data'; readonly key: string; readonly of: ObjectOutput }
  | { readonly kind: 'page'; readonly key: string; readonly member: PageMember }
  /** A property of an event beside its entry. */
  | { readonly kind: 'change'; readonly key: string; readonly member: 'action' | 'id' }
  /** `branch` is the key of the populated branch. `name` is the attribute. */
  | {
      readonly kind: 'branch'
      readonly key: string
      readonly branch: string
      readonly name: string
      readonly of: ObjectOutput
    }
  | {
      readonly kind: 'union'
      readonly key: string
      readonly branch: string
      readonly name: string
      readonly of: UnionOutput
    }
  /** A field that code of an extension resolves. `leaf` is null if the answer must be executed for it. */
  | {
      readonly kind: 'own'
      readonly key: string
      readonly attribute: ScalarAttribute | null
      readonly leaf: CalledField | null
    }

/** A field whose resolver is called without execution. */
export interface CalledField {
  readonly parent: GraphQLObjectType
  readonly field: GraphQLField<unknown, unknown>
  readonly nodes: readonly FieldNode[]
}

/** A populated attribute. */
export type BranchMember = Extract<Member, { readonly kind: 'branch' | 'union' }>
