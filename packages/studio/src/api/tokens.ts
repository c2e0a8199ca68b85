// Reads, makes and revokes API tokens by the routes of the plugin api-tokens.

import { askBody } from './http.ts'

/** The action without which nobody manages tokens. */
export const manageTokens = 'plugin::api-tokens.tokens.manage'

export const tokenTypes = ['read-only', 'custom', 'full-access'] as const
export type TokenType = (typeof tokenTypes)[number]

/** The lifespans that v4 has, in milliseconds; null is for ever. */
export const lifespans = [604_800_000, 2_592_000_000, 7_776_000_000, null] as const
export type Lifespan = (typeof lifespans)[number]

export interface Token {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: TokenType
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
}

/** A token with its key, which no other answer contains. */
export interface MadeToken extends Token {
  readonly accessKey: string
}

export interface NewToken {
  readonly name: string
  readonly description: string
  readonly type: TokenType
  readonly lifespan: Lifespan
  /** The actions of a custom token. */
  readonly permissions?: readonly string[]
}

interface Data<Value> {
  readonly data: Value
}

const path = '/admin/api-tokens'

export const listTokens = async (signal: AbortSignal): Promise<readonly Token[]> =>
  (await askBody<Data<readonly Token[]>>({ path, isBesideApi: true, signal })).data

export const makeToken = async (body: NewToken): Promise<MadeToken> =>
  (await askBody<Data<MadeToken>>({ method: 'POST', path, isBesideApi: true, body })).data

export const revokeToken = (id: number): Promise<unknown> =>
  askBody({ method: 'DELETE', path: `${path}/${id}`, isBesideApi: true })
