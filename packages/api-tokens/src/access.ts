// Computes the rights of a token (B-6.73, B-6.76). Knows no requests.

import { createHash } from 'node:crypto'
import type { Access } from '@plinth/kernel'
import type { TokenRow } from './types.ts'

declare module '@plinth/kernel' {
  interface Access {
    /** The API token by which the caller authenticated, for logs and hooks. Plans must not depend on it. */
    readonly token?: { readonly id: number; readonly name: string; readonly type: string }
  }
}

/** The right to manage tokens, for callers who are not tokens. No role has it by default. */
export const manageAction = 'plugin::api-tokens.tokens.manage'

/** The rights of a caller with an API token. There is no user. */
export type TokenAccess = Access & { readonly user: null } & Required<Pick<Access, 'token'>>

const isReading = (scope: string) => /\.find(?:One)?$/.test(scope)

/**
 * The rights of a token. The key contains no text of users: tokens of the same rights share their plans. Of the listed
 * actions of a custom token, those that no longer exist have no effect (B-6.3).
 */
export function accessOf(row: TokenRow, actions: readonly string[]): TokenAccess {
  const base = { user: null, caller: `token ${row.id}`, token: { id: row.id, name: row.name, type: row.type } }
  if (row.type === 'full-access')
    return { ...base, key: 'api-token:full-access', label: 'a full-access token', can: () => true }
  if (row.type === 'read-only')
    return { ...base, key: 'api-token:read-only', label: 'a read-only token', can: isReading }
  const existing = new Set(actions)
  const listed = row.type === 'custom' ? row.permissions.map(one => one.action) : []
  const allowed = new Set(listed.filter(action => existing.has(action)))
  const key = `api-token:custom:${digestOf([...allowed].sort())}`
  return { ...base, key, label: 'a custom token', can: scope => allowed.has(scope) }
}

const digestOf = (actions: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(actions)).digest('base64url')

/** Returns whether these are the rights of a full-access token, also with rights that a plugin has added. */
export function isFullAccess(access: Access): boolean {
  return access.token?.type === 'full-access'
}
