// v4's tables of API tokens as content types without routes (B-6.71, B-6.72). Does not know what a token permits.

export const tokenUid = 'admin::api-token'
export const actionUid = 'admin::api-token-permission'

/** The types of tokens (B-6.73), the default first. */
export const tokenTypes = ['read-only', 'full-access', 'custom'] as const
export type TokenType = (typeof tokenTypes)[number]

/** The table of tokens. `accessKey` is a hash; the key itself is stored nowhere. */
export const tokenType = {
  kind: 'collectionType',
  collectionName: 'strapi_api_tokens',
  info: { singularName: 'api-token', pluralName: 'api-tokens', displayName: 'API Token' },
  attributes: {
    name: { type: 'string', minLength: 1, maxLength: 255, required: true, unique: true },
    description: { type: 'string', maxLength: 255, default: '' },
    type: { type: 'enumeration', enum: [...tokenTypes], required: true, default: tokenTypes[0] },
    accessKey: { type: 'string', minLength: 1, required: true, unique: true, private: true },
    lastUsedAt: { type: 'datetime' },
    permissions: { type: 'relation', relation: 'oneToMany', target: actionUid, mappedBy: 'token' },
    expiresAt: { type: 'datetime' },
    lifespan: { type: 'biginteger' },
  },
}

/** The table of the actions that custom tokens list. */
export const actionType = {
  kind: 'collectionType',
  collectionName: 'strapi_api_token_permissions',
  info: {
    singularName: 'api-token-permission',
    pluralName: 'api-token-permissions',
    displayName: 'API Token Permission',
  },
  attributes: {
    action: { type: 'string', minLength: 1, required: true },
    token: { type: 'relation', relation: 'manyToOne', target: tokenUid, inversedBy: 'permissions' },
  },
}

/** A token as it is read from the database. Datetimes are in ISO format. */
export interface TokenRow {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly type: string
  readonly accessKey: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  /** Milliseconds, as text; null if the token does not expire. */
  readonly lifespan: string | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
  readonly permissions: readonly { readonly id: number; readonly action: string }[]
}
