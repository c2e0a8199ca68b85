// Tells which fields of entries are resolved by code and have no fields below them: scalars, enumerations and lists of
// them. Their values can be asked for while an answer is written as text.

import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType } from 'graphql'
import { meaningOfField, meaningOfType } from './meaning.ts'
import { isWrapped } from './wrapped.ts'

/** Returns whether code resolves a field, or runs around it. */
export function isOwn(field: GraphQLField<unknown, unknown>): boolean {
  return meaningOfField(field) === null || isWrapped(field)
}

/** Returns whether code resolves a field of an entry that has no fields below it. */
export function isOwnLeaf(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): boolean {
  const kind = meaningOfType(type)?.kind
  return (kind === 'entity' || kind === 'attributes') && isOwn(field) && isLeafType(getNamedType(field.type))
}
