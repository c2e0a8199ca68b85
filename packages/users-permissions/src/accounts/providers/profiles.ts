// Reads who logged in: the address of a user, whether the provider has verified it, and a name. From an ID token, or
// from the API of GitHub. It knows no users of the application.

import { ValidationError } from '@plinth/kernel'
import { isEmail } from '../bodies.ts'
import type { TokenAnswer } from './client.ts'
import type { IdTokens } from './id-token.ts'
import { askJson, ProviderFailure } from './outgoing.ts'
import type { Endpoints, Provider } from './provider.ts'

/** The profile that a provider has of a user. */
export interface Profile {
  readonly email: string
  readonly isVerified: boolean
  /** The name of the user there; empty if the provider does not say it. */
  readonly name: string
}

type JsonObject = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * GitHub shows addresses that are not public in a list of their own, and says there which one is verified. Throws
 * ValidationError for a user without a usable address. Rejects with ProviderFailure if the provider fails.
 */
export async function readGithub({ endpoints }: Provider, answer: TokenAnswer): Promise<Profile> {
  const { userinfo, emails } = endpoints
  const headers = bearer(answer)
  const user = (await askJson(userinfo!, headers)) as JsonObject
  const list = await askJson(emails!, headers)
  if (!Array.isArray(list)) throw new ProviderFailure('the addresses are not a list')
  const primary = (list as readonly JsonObject[]).find(one => one?.primary === true)
  return profileOf({ email: textOf(primary?.email), isVerified: primary?.verified === true, name: textOf(user.login) })
}

/** The parts with which an ID token is read. */
export interface OidcTools {
  readonly provider: Provider
  readonly endpoints: Endpoints
  readonly idTokens: IdTokens
  readonly nonce: string
}

/** Throws IdTokenError for a token that is not valid. Rejects with ProviderFailure if the provider fails. */
export async function readOidc(tools: OidcTools, answer: TokenAnswer): Promise<Profile> {
  const { provider, endpoints, idTokens, nonce } = tools
  let claims = (await idTokens.verify(answer.id_token, nonce)) as JsonObject
  if (claims.email === undefined && endpoints.userinfo !== undefined) {
    const more = (await askJson(endpoints.userinfo, bearer(answer))) as JsonObject
    // An access token of somebody else would name somebody else.
    if (more.sub !== claims.sub) throw new ValidationError('The provider tells of another user than its ID token')
    // Only the answer that names an address says whether it is verified.
    claims = { ...claims, ...more, email_verified: more.email_verified }
  }
  // Some issuers write it as text.
  const isVerified = provider.trustsEmails || claims.email_verified === true || claims.email_verified === 'true'
  const name = textOf(claims.preferred_username) || textOf(claims.nickname)
  return profileOf({ email: textOf(claims.email), isVerified, name })
}

function profileOf({ email, isVerified, name }: Profile): Profile {
  if (!isEmail(email)) throw new ValidationError('Email was not available.')
  if (!isVerified) throw new ValidationError('Email is not verified by the provider.')
  return { email, isVerified, name }
}

function bearer({ access_token: token }: TokenAnswer): Readonly<Record<string, string>> {
  // A header with a line break would be an error of fetch.
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(token))
    throw new ProviderFailure('it gave no access token')
  return { authorization: `Bearer ${token}` }
}
