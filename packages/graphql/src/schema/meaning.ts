// Declares the meaning of generated types and fields. It stands in the `extensions` of graphql-js objects, which
// survive every change of a schema that extensions make. The code that reads operations needs nothing else of the
// schema.

import type { Attribute, ContentType, Operation, ParameterDefinition, ScalarAttribute } from '@plinth/kernel'
import type { GraphQLField, GraphQLNamedType, GraphQLObjectType } from 'graphql'

/** The meaning of an object type of the generated schema. */
export type TypeMeaning =
  /** `{ data }` of one entry. */
  | { readonly kind: 'response'; readonly type: ContentType }
  /** `{ data, meta }` of a list of the root. */
  | { readonly kind: 'collection'; readonly type: ContentType }
  /** `{ data }` of a populated list. */
  | { readonly kind: 'relations'; readonly type: ContentType }
  /** `{ id, attributes }`. */
  | { readonly kind: 'entity'; readonly type: ContentType }
  /** The attributes of a content type, or a component. */
  | { readonly kind: 'attributes'; readonly type: ContentType }
  /** `{ action, id, data }` of a change of one entry. */
  | { readonly kind: 'change'; readonly type: ContentType }
  | { readonly kind: 'meta' }
  | { readonly kind: 'pagination' }

/** The operation that a generated field of the root runs. */
export type RootOperation =
  | 'find'
  | 'findOne'
  | 'findSingle'
  | 'create'
  | 'update'
  | 'put'
  | 'delete'
  | 'deleteSingle'
  | ChangeOperation

/** The operations of subscriptions: they ask for an entry that has changed. */
export type ChangeOperation = 'changedMany' | 'changedOne' | 'changedSingle'

/** The operation of the kernel for each operation of a generated field. */
export const actionOf: Readonly<Record<RootOperation, Operation>> = {
  find: 'find',
  findOne: 'findOne',
  findSingle: 'find',
  create: 'create',
  update: 'update',
  put: 'update',
  delete: 'delete',
  deleteSingle: 'delete',
  changedMany: 'find',
  changedOne: 'findOne',
  changedSingle: 'find',
}

/** An argument that a parameter of a plugin became. */
export interface ParameterArgument {
  readonly definition: ParameterDefinition
  /** The value that has the same effect as no value, if there is one. */
  readonly fallback: unknown
  /** True if the value belongs to the query, or if the plugin gives it a meaning for this operation. */
  readonly isQuery: boolean
}

/** The meaning of a generated field. */
export type FieldMeaning =
  | {
      readonly kind: 'root'
      readonly operation: RootOperation
      readonly type: ContentType
      readonly parameters: readonly ParameterArgument[]
    }
  | { readonly kind: 'id' }
  | { readonly kind: 'attributes' }
  | { readonly kind: 'data' }
  | { readonly kind: 'meta' }
  | { readonly kind: 'pagination' }
  | { readonly kind: 'page'; readonly member: PageMember }
  /** A property of an event beside its entry. */
  | { readonly kind: 'changeMember'; readonly member: 'action' | 'id' }
  | { readonly kind: 'scalar'; readonly attribute: ScalarAttribute }
  | {
      readonly kind: 'branch'
      readonly attribute: Exclude<Attribute, ScalarAttribute>
      readonly parameters: readonly ParameterArgument[]
    }

export type PageMember = 'total' | 'page' | 'pageSize' | 'pageCount'

/** The meaning of an input of the generated schema: values of the attributes of these types. */
export interface InputMeaning {
  readonly kind: 'input'
  readonly types: readonly ContentType[]
}

/** The key of `extensions`. */
export const plinth = 'plinth'

export function meaningOfType(type: Pick<GraphQLObjectType, 'extensions'>): TypeMeaning | null {
  return (type.extensions[plinth] as TypeMeaning | undefined) ?? null
}

export function meaningOfField(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): FieldMeaning | null {
  return (field.extensions[plinth] as FieldMeaning | undefined) ?? null
}

/**
 * Returns whether a member of an input is an attribute whose values errors must not show: a private one, or a password.
 */
export function isSecretField({ extensions }: Pick<GraphQLNamedType, 'extensions'>, name: string): boolean {
  const meaning = extensions[plinth] as InputMeaning | undefined
  if (meaning?.kind !== 'input') return false
  return meaning.types.some(({ attributes }) => {
    const attribute = attributes.get(name)
    return attribute !== undefined && (attribute.private || attribute.type === 'password')
  })
}
