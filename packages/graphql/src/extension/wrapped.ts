// Tells whether code of an extension runs around a field, so that an operation with it must be executed, and whether it
// finds the types of values, so that the operation must not be compiled.

import type { GraphQLAbstractType, GraphQLField } from 'graphql'

const key = 'plinthWrapped'

/** The `extensions` of a field around which code runs. */
export const wrapped = { [key]: true } as const

export function isWrapped(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean {
  return field.extensions[key] === true
}

const ownAuth = 'plinthAuthorized'

/** The `extensions` of a field whose `auth` has taken the place of the usual check of rights. */
export const authorized = { [ownAuth]: true } as const

export function isAuthorizedByConfig(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean {
  return field.extensions[ownAuth] === true
}

const ownTypes = 'plinthOwnTypes'

/** The `extensions` of a union or an interface for which code finds the types of values. */
export const resolvedByCode = { [ownTypes]: true } as const

export function isResolvedByCode(type: GraphQLAbstractType): boolean {
  return type.extensions[ownTypes] === true
}
