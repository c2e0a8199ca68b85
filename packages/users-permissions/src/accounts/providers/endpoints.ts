// Finds the endpoints of a provider: those of the settings, and for the rest what the document of the issuer says (OpenID
// Connect Discovery). An address that could not stand in the settings is refused there, too.

import { askJson, ProviderFailure } from './outgoing.ts'
import { type Endpoints, faultOfEndpoint, type Provider } from './provider.ts'

/** The properties of a provider after its issuer was asked. */
export interface DiscoveredProvider {
  readonly endpoints: Endpoints
  readonly tokenAuth: 'header' | 'body'
  /** True if the answer of the issuer must name it (RFC 9207). */
  readonly namesIssuer: boolean
}

/** Rejects with ProviderFailure. */
export async function discover({ type, issuers, endpoints, tokenAuth }: Provider): Promise<DiscoveredProvider> {
  const { authorize, token, jwks } = endpoints
  const allEndpoints = { ...endpoints, authorize: authorize ?? '', token: token ?? '' }
  if (authorize !== undefined && token !== undefined && (type === 'github' || jwks !== undefined))
    return { endpoints: allEndpoints, tokenAuth: tokenAuth ?? 'header', namesIssuer: false }
  const issuer = issuers[0]!
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = (await askJson(address)) as Readonly<Record<string, unknown>>
  if (document.issuer !== issuer) throw new ProviderFailure(`${address}: it is not that of the issuer ${issuer}`)
  const find = (key: keyof Endpoints, name: string): string => {
    const value = endpoints[key] ?? document[name]
    if (typeof value !== 'string') throw new ProviderFailure(`${address}: ${name} is missing`)
    const fault = faultOfEndpoint(value)
    if (fault !== null) throw new ProviderFailure(`${address}: ${name} ${fault}`)
    return value
  }
  const userinfo = document.userinfo_endpoint === undefined ? {} : { userinfo: find('userinfo', 'userinfo_endpoint') }
  return {
    endpoints: {
      ...userinfo,
      authorize: find('authorize', 'authorization_endpoint'),
      token: find('token', 'token_endpoint'),
      jwks: find('jwks', 'jwks_uri'),
    },
    tokenAuth: tokenAuth ?? methodOf(document.token_endpoint_auth_methods_supported),
    namesIssuer: document.authorization_response_iss_parameter_supported === true,
  }
}

/** The header is what a document means that says nothing. */
function methodOf(supported: unknown): 'header' | 'body' {
  if (!Array.isArray(supported) || supported.includes('client_secret_basic')) return 'header'
  return supported.includes('client_secret_post') ? 'body' : 'header'
}
