// The authorization code flow with one provider, by @fastify/oauth2: PKCE (S256), state, and the exchange of the code. It
// knows neither profiles nor users.

import type { OAuth2Namespace } from '@fastify/oauth2'
import type { FastifyInstance } from 'fastify'
import { type CookieText, SignedCookies } from './cookies.ts'
import type { DiscoveredProvider } from './endpoints.ts'
import { maxBytes, timeLimit, userAgent } from './outgoing.ts'
import type { LoginPackages } from './packages.ts'
import type { Provider } from './provider.ts'
import { lifetime, makeState, nonceOf, targetIn } from './state.ts'

/** The parts of which a client is made. */
export interface ClientTools {
  readonly provider: Provider
  readonly discovered: DiscoveredProvider
  /** The address to which the provider sends the browser back, as it is registered there. */
  readonly redirectUri: string
  /** Signs cookies. */
  readonly key: Buffer
  readonly packages: LoginPackages
}

/** The browser that logs in: the cookies that it sends, and the headers that set others. */
export interface Browser {
  readonly cookies: string | undefined
  setCookie(header: string): void
}

/** A login that was begun in this browser. */
export interface Begun {
  readonly state: string
  /** The address to which it leads. */
  readonly target: string
  readonly nonce: string
}

/** The answer of the token endpoint. */
export type TokenAnswer = Readonly<Record<string, unknown>>

/** The members of a request and of a reply that @fastify/oauth2 uses. */
interface Exchange {
  readonly state: string
  readonly query: { readonly state: string; readonly code?: string }
  readonly cookies: Readonly<Record<string, string>>
  setCookie(name: string, value: string, options: object): void
  clearCookie(name: string, options: object): void
}

export class OAuthClient {
  readonly #tools: ClientTools
  readonly #server: FastifyInstance
  readonly #oauth: OAuth2Namespace
  readonly #cookies: SignedCookies
  readonly #names: { readonly state: string; readonly verifier: string }

  private constructor(tools: ClientTools, server: FastifyInstance, names: { state: string; verifier: string }) {
    this.#tools = tools
    this.#server = server
    this.#names = names
    this.#oauth = (server as unknown as { readonly login: OAuth2Namespace }).login
    // The plugin registers @fastify/cookie.
    const { parseCookie, serializeCookie } = server as unknown as {
      readonly parseCookie: CookieText['parse']
      readonly serializeCookie: CookieText['serialize']
    }
    this.#cookies = new SignedCookies(tools.key, { parse: parseCookie, serialize: serializeCookie })
  }

  /**
   * Prepares a client. The plugin decorates a server that serves nothing: so it can be registered when the endpoints are
   * known, and neither its decorators nor its cookies meet those of the application.
   */
  static async open(tools: ClientTools): Promise<OAuthClient> {
    const { provider, discovered, redirectUri, packages } = tools
    const server = packages.makeServer({ logger: false })
    const { protocol, pathname } = new URL(redirectUri)
    const isSecure = protocol === 'https:'
    // A neighbour under another subdomain cannot set cookies with this prefix.
    const prefix = `${isSecure ? '__Host-' : ''}plinth-${provider.name}`
    const names = { state: `${prefix}-state`, verifier: `${prefix}-verifier` }
    await server.register(packages.oauth2, {
      name: 'login',
      scope: [...provider.scope],
      credentials: {
        client: { id: provider.clientId, secret: provider.clientSecret },
        auth: pathsOf(discovered),
        http: { timeout: timeLimit, maxBytes, redirects: false },
        options: { authorizationMethod: discovered.tokenAuth },
      },
      callbackUri: redirectUri,
      pkce: 'S256',
      userAgent,
      generateStateFunction: (request: unknown) => (request as Exchange).state,
      checkStateFunction: (request: unknown) => {
        const { query, cookies } = request as Exchange
        return targetIn(query.state, cookies[names.state]) !== null
      },
      redirectStateCookieName: names.state,
      verifierCookieName: names.verifier,
      cookie: { httpOnly: true, sameSite: 'lax', secure: isSecure, path: pathname, maxAge: lifetime },
    })
    await server.ready()
    return new OAuthClient(tools, server, names)
  }

  /** The address of the provider at which a login begins that leads to `target`. */
  async begin(browser: Browser, target: string): Promise<string> {
    const state = makeState(target)
    const exchange = this.#exchange(browser, { state })
    const url = new URL(await this.#oauth.generateAuthorizationUri(exchange as never, exchange as never))
    if (this.#tools.provider.type === 'oidc') url.searchParams.set('nonce', nonceOf(this.#tools.key, state))
    return url.href
  }

  /** The login to which a state belongs that the provider sent back; null if this browser has not begun it. */
  find({ cookies }: Browser, state: unknown): Begun | null {
    const target = targetIn(state, this.#cookies.read(cookies)[this.#names.state])
    if (target === null) return null
    return { state: String(state), target, nonce: nonceOf(this.#tools.key, String(state)) }
  }

  /** Exchanges the code of a login, which cannot be used again in this browser. Rejects with what the client throws. */
  async finish(browser: Browser, { state }: Begun, code: string): Promise<TokenAnswer> {
    const exchange = this.#exchange(browser, { state, code })
    const { token } = await this.#oauth.getAccessTokenFromAuthorizationCodeFlow(exchange as never, exchange as never)
    return token as unknown as TokenAnswer
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  #exchange(browser: Browser, query: Exchange['query']): Exchange {
    const cookies = this.#cookies
    return {
      state: query.state,
      query,
      cookies: cookies.read(browser.cookies),
      setCookie: (name, value, options) => browser.setCookie(cookies.write(name, value, options)),
      clearCookie: (name, options) => browser.setCookie(cookies.clear(name, options)),
    }
  }
}

/** The endpoints as the plugin takes them. */
function pathsOf({ endpoints }: DiscoveredProvider) {
  const [authorize, token] = [new URL(endpoints.authorize), new URL(endpoints.token)]
  return {
    authorizeHost: authorize.origin,
    authorizePath: authorize.pathname,
    tokenHost: token.origin,
    tokenPath: token.pathname,
  }
}
