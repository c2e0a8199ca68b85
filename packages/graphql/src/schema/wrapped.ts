// Tells whether code of an extension runs around a generated field, whether that code only allows or refuses it, and whether
// its `auth` has replaced the usual check.

import type { GraphQLField } from 'graphql'

const key = 'plinthWrapped'

/** The `extensions` of a field around which code runs. */
export const wrapped = { [key]: true } as const

export function isWrapped(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean {
  return field.extensions[key] === true
}

const ownChecks = 'plinthChecked'

/** The `extensions` of a field around which nothing runs but checks, which see neither its value nor what is below it. */
export const checked = { [ownChecks]: true } as const

export function isChecked(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean {
  return field.extensions[ownChecks] === true
}

const ownAuth = 'plinthAuthorized'

/** The `extensions` of a field whose `auth` has taken the place of the usual check of rights. */
export const authorized = { [ownAuth]: true } as const

export function isAuthorizedByConfig(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean {
  return field.extensions[ownAuth] === true
}
