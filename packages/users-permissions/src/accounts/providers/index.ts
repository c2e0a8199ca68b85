// The providers of logins: which ones are enabled, and what is open of them. A provider is asked when somebody logs in by
// it, so one that is away keeps neither the server nor the other providers from working.

import { createHmac } from 'node:crypto'
import { ApplicationError, type Logger, StartError, ValidationError } from '@plinth/kernel'
import type { AccountConfig } from '../config.ts'
import { type Begun, type Browser, OAuthClient } from './client.ts'
import { type DiscoveredProvider, discover } from './endpoints.ts'
import { IdTokenError, IdTokens } from './id-token.ts'
import { failed, ProviderFailure } from './outgoing.ts'
import { type LoginPackages, loadPackages } from './packages.ts'
import { type Profile, readGithub, readOidc } from './profiles.ts'
import { type Provider, resolveProvider } from './provider.ts'
import { storedProviders } from './stored.ts'
import { targetOf } from './targets.ts'

/** The enabled providers, of the settings and of what v4 stored. Throws StartError for settings that cannot be used. */
export function findProviders(
  config: Pick<AccountConfig, 'providers' | 'callback'>,
  stored: Readonly<Record<string, unknown>>,
  { serverUrl, log }: { readonly serverUrl: string; readonly log: Logger },
): ReadonlyMap<string, Provider> {
  const { validate } = config.callback
  if (validate !== undefined && typeof validate !== 'function')
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      'config/plugins: users-permissions.config.callback.validate: must be a function',
    )
  const providers = new Map<string, Provider>()
  const add = (provider: Provider | null) => provider !== null && providers.set(provider.name, provider)
  for (const [name, settings] of Object.entries(config.providers)) add(resolveProvider(name, settings))
  for (const { name, config: settings } of storedProviders(stored, serverUrl)) {
    if (Object.hasOwn(config.providers, name)) continue
    const provider =
      settings === null ? 'v4 serves it by a profile of its own; config/plugins can name its "issuer"' : null
    const fault = provider ?? faultOf(() => add(resolveProvider(name, settings!)))
    if (fault !== null) log.warn(`users-permissions: the provider ${name}, which v4 stored, is disabled: ${fault}`)
  }
  return providers
}

function faultOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
}

/** The connection to a provider. */
interface Connection {
  readonly discovered: DiscoveredProvider
  readonly client: OAuthClient
  readonly idTokens: IdTokens | null
}

/** The parts of a server that providers need. */
export interface ProviderTools {
  readonly enabled: ReadonlyMap<string, Provider>
  readonly config: Pick<AccountConfig, 'callback'>
  readonly log: Logger
  /** The secret of tokens, of which the key of cookies is made. */
  readonly secret: string
  /** The address below which the routes are, such as `https://api.example.com/api`. */
  readonly base: string
}

export class Providers {
  readonly #tools: ProviderTools
  readonly #packages: LoginPackages
  readonly #key: Buffer
  readonly #connections = new Map<string, Promise<Connection>>()

  private constructor(tools: ProviderTools, packages: LoginPackages) {
    this.#tools = tools
    this.#packages = packages
    this.#key = createHmac('sha256', tools.secret).update('plinth: logins by third parties').digest()
  }

  /** Null if none is enabled. Throws StartError if a package is missing. */
  static async open(tools: ProviderTools): Promise<Providers | null> {
    if (tools.enabled.size === 0) return null
    if (process.env.NODE_ENV === 'production' && new URL(tools.base).hostname === 'localhost')
      tools.log.warn(`users-permissions: providers send browsers back to ${tools.base}: set "url" of config/server`)
    return new Providers(tools, await loadPackages())
  }

  /** The provider of that name. Throws ApplicationError if it is not enabled (B-6.27). */
  require(name: string): Provider {
    const provider = this.#tools.enabled.get(name)
    if (provider === undefined) throw new ApplicationError('This provider is disabled')
    return provider
  }

  /**
   * The address of the provider at which a login begins. `requestedTarget` is the address to which the request wants to be
   * led.
   */
  async begin(provider: Provider, browser: Browser, requestedTarget: unknown): Promise<string> {
    const { name, callbacks } = provider
    const { validate } = this.#tools.config.callback
    const target = await targetOf({ provider: name, callbacks, validate }, requestedTarget)
    const { client } = await this.#connect(provider)
    return client.begin(browser, target)
  }

  /** The login to which the answer of a provider belongs. Throws ValidationError if this browser has not begun it. */
  async find(provider: Provider, browser: Browser, answer: Readonly<Record<string, unknown>>): Promise<Begun> {
    const { client, discovered } = await this.#connect(provider)
    const begun = client.find(browser, answer.state)
    if (begun === null)
      throw new ValidationError('Invalid state: this browser has not begun the login, or it has ended')
    const [issuer] = provider.issuers
    const isOther = answer.iss === undefined ? discovered.namesIssuer : answer.iss !== issuer
    if (issuer !== undefined && isOther) throw new ValidationError('The answer is of another provider')
    return begun
  }

  /** Returns who has logged in. Throws ValidationError for a code, a token or an address that cannot be accepted. */
  async finish(provider: Provider, browser: Browser, begun: Begun, code: string): Promise<Profile> {
    const { client, discovered, idTokens } = await this.#connect(provider)
    const answer = await client
      .finish(browser, begun, code)
      .catch((error: unknown) => this.#refuseCode(provider, error))
    if (answer.error !== undefined) this.#refuseCode(provider, { data: { payload: answer } })
    try {
      if (idTokens === null) return await readGithub(provider, answer)
      return await readOidc({ provider, endpoints: discovered.endpoints, idTokens, nonce: begun.nonce }, answer)
    } catch (error) {
      throw this.#meaningOf(provider, error)
    }
  }

  async close(): Promise<void> {
    const open = await Promise.allSettled(this.#connections.values())
    await Promise.all(open.map(one => (one.status === 'fulfilled' ? one.value.client.close() : null)))
  }

  /** Returns the connection to a provider. A failure is not kept: the next login tries again. */
  #connect(provider: Provider): Promise<Connection> {
    const connection = this.#connections.get(provider.name)
    if (connection !== undefined) return connection
    const opened = this.#open(provider).catch((error: unknown) => {
      this.#connections.delete(provider.name)
      throw error
    })
    this.#connections.set(provider.name, opened)
    return opened
  }

  async #open(provider: Provider): Promise<Connection> {
    const { base } = this.#tools
    const discovered = await discover(provider).catch((error: unknown) => {
      throw this.#meaningOf(provider, error)
    })
    const client = await OAuthClient.open({
      provider,
      discovered,
      redirectUri: `${base}/connect/${provider.name}/callback`,
      key: this.#key,
      packages: this.#packages,
    })
    const { jwks } = discovered.endpoints
    const { issuers, clientId, type } = provider
    const idTokens =
      type === 'oidc' ? new IdTokens({ jose: this.#packages.jose, issuers, clientId, jwks: jwks! }) : null
    return { discovered, client, idTokens }
  }

  /** Returns what a client receives for an error; the log has more. */
  #meaningOf({ name }: Provider, error: unknown): unknown {
    const { log } = this.#tools
    if (error instanceof ProviderFailure) return failed(log, name, error.message)
    if (!(error instanceof IdTokenError)) return error
    log.warn(`users-permissions: the login provider ${name}: ID token refused: ${error.message}`)
    return new ValidationError('The ID token of the provider is not valid')
  }

  /** A code that the token endpoint refuses is a fault of the request; what else fails is one of the provider. */
  #refuseCode(provider: Provider, error: unknown): never {
    // A message may quote what the endpoint sent.
    const { data, output, code } = error as {
      readonly code?: unknown
      readonly data?: { readonly payload?: { readonly error?: unknown } | null }
      readonly output?: { readonly statusCode?: number }
    }
    const errorCode = data?.payload?.error
    if (isRefusal(errorCode)) throw new ValidationError('The provider refuses the code')
    const word = typeof errorCode === 'string' && /^[a-z_]{1,40}$/.test(errorCode) ? ` ${errorCode}` : ''
    const status = `${output?.statusCode ?? code ?? ''}${word}`.trim()
    const detail = status === '' ? '' : ` (${status})`
    throw failed(this.#tools.log, provider.name, `the token endpoint gives no token${detail}`)
  }
}

/**
 * Returns whether a token endpoint says that the code is not valid; GitHub says it in its own way, with the status 200.
 */
const isRefusal = (error: unknown): boolean => error === 'invalid_grant' || error === 'bad_verification_code'
