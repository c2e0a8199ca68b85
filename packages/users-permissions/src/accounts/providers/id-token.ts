// Verifies ID tokens by jose: signature by the keys of the issuer, issuer, audience, end and nonce (security.md row 66).

import type * as Jose from 'jose'
import { ask, ProviderFailure } from './outgoing.ts'

/** Signatures by a key of the issuer. One by the secret of the client, and none at all, are not accepted. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>

/** A token that is not valid. The message says why, and contains nothing of the token. */
export class IdTokenError extends Error {}

/** The issuer of tokens, and for whom they are. */
export interface IssuerTools {
  readonly jose: typeof Jose
  readonly issuers: readonly string[]
  readonly clientId: string
  readonly jwks: string
}

export class IdTokens {
  readonly #tools: IssuerTools
  readonly #keys: ReturnType<typeof Jose.createRemoteJWKSet>

  constructor(tools: IssuerTools) {
    this.#tools = tools
    this.#keys = tools.jose.createRemoteJWKSet(new URL(tools.jwks), { [tools.jose.customFetch]: fetchKeys })
  }

  /** The claims. Throws IdTokenError for a token that is not valid, and ProviderFailure without keys. */
  async verify(token: unknown, nonce: string): Promise<Claims> {
    if (typeof token !== 'string') throw new IdTokenError('the token is missing')
    const { jose, issuers, clientId } = this.#tools
    const claims = await jose
      .jwtVerify(token, this.#keys, {
        algorithms,
        issuer: [...issuers],
        audience: clientId,
        requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat', 'nonce'],
        clockTolerance: 30,
      })
      .then(
        ({ payload }) => payload,
        (error: unknown) => {
          throw this.#meaningOf(error)
        },
      )
    if (claims.nonce !== nonce) throw new IdTokenError('the nonce is not that of the login')
    // A token for several clients says for which one it was made.
    const isShared = Array.isArray(claims.aud) && claims.aud.length > 1
    if ((isShared || claims.azp !== undefined) && claims.azp !== clientId)
      throw new IdTokenError('it was made for another client')
    if (typeof claims.sub !== 'string' || claims.sub === '') throw new IdTokenError('it names nobody')
    return claims
  }

  /** An error of jose is about the token, or about keys that cannot be had. */
  #meaningOf(error: unknown): unknown {
    if (!(error instanceof this.#tools.jose.errors.JOSEError)) return error
    const isAway = ['ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code)
    return isAway ? new ProviderFailure(`its keys: ${error.message}`) : new IdTokenError(error.code)
  }
}

/** Keys are fetched with the limits of all requests. */
async function fetchKeys(address: string): Promise<Response> {
  const { status, text } = await ask(address, {})
  return new Response(text, { status: status >= 200 && status < 300 ? status : 502 })
}
