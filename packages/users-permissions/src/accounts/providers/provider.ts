// A provider as it is used: the settings checked and completed by what is known of GitHub and Google. Nothing is asked of
// the provider here, and nothing is known of users.

import { StartError, suggestion } from '@plinth/kernel'
import type { ProviderConfig } from './config.ts'
import { faultOfTarget } from './targets.ts'

/** The addresses of a provider. */
export interface Endpoints {
  readonly authorize: string
  readonly token: string
  /** The keys of ID tokens; none with the type `github`. */
  readonly jwks?: string
  readonly userinfo?: string
  readonly emails?: string
}

/** A provider that is enabled. */
export interface Provider {
  readonly name: string
  readonly type: 'oidc' | 'github'
  readonly clientId: string
  readonly clientSecret: string
  /** The addresses to which a login may lead. */
  readonly callbacks: readonly [string, ...string[]]
  readonly scope: readonly string[]
  /** The names of the issuer in ID tokens; the first one is its address. */
  readonly issuers: readonly string[]
  /** Those that are not known are asked of the issuer. */
  readonly endpoints: Partial<Endpoints>
  readonly tokenAuth: 'header' | 'body' | null
  readonly trustsEmails: boolean
}

/** The properties of a provider that Plinth knows. */
type Preset = Pick<Provider, 'type' | 'scope' | 'issuers' | 'tokenAuth'> & { readonly endpoints: Endpoints }

const presets: Readonly<Record<string, Preset>> = {
  github: {
    type: 'github',
    scope: ['read:user', 'user:email'],
    issuers: [],
    tokenAuth: 'body',
    endpoints: {
      authorize: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
      userinfo: 'https://api.github.com/user',
      emails: 'https://api.github.com/user/emails',
    },
  },
  google: {
    type: 'oidc',
    scope: ['openid', 'email'],
    // Google writes its name in both ways.
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    tokenAuth: 'body',
    endpoints: {
      authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      jwks: 'https://www.googleapis.com/oauth2/v3/certs',
      userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
    },
  },
}

const place = 'config/plugins: users-permissions.config.providers'

function refuse(path: string, fault: string): never {
  throw new StartError('PLINTH_CONFIG_INVALID', `${place}.${path}: ${fault}`)
}

/** Names that are in use for accounts with a password. */
const reserved = ['local', 'email']

/** The provider of these settings; null if it is switched off. Throws StartError for what cannot be used. */
export function resolveProvider(name: string, settings: ProviderConfig): Provider | null {
  if (settings.enabled === false) return null
  if (reserved.includes(name) || !/^[a-z\d][a-z\d_-]{0,49}$/i.test(name))
    refuse(name, 'cannot be the name of a provider')
  const own = settings.type !== undefined || settings.issuer !== undefined || settings.endpoints !== undefined
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (preset === undefined && !own) {
    const presetNames = `the known ones are ${Object.keys(presets).join(' and ')}`
    refuse(
      name,
      `is not a known provider${suggestion(name, Object.keys(presets)) || `; ${presetNames}`}; others need "issuer"`,
    )
  }
  // An issuer of one's own has nothing to do with the known one of that name.
  const base = settings.issuer === undefined ? preset : undefined
  const type = settings.type ?? preset?.type ?? 'oidc'
  const issuers = type === 'github' ? [] : settings.issuer === undefined ? (base?.issuers ?? []) : [settings.issuer]
  if (type === 'oidc' && issuers.length === 0) refuse(`${name}.issuer`, 'is missing')
  const provider: Provider = {
    name,
    type,
    clientId: credential(name, 'clientId', settings.clientId),
    clientSecret: credential(name, 'clientSecret', settings.clientSecret),
    callbacks: callbacksOf(name, settings.callback),
    scope: scopeOf(type, settings.scope ?? base?.scope ?? presets[type]?.scope ?? ['openid', 'email', 'profile']),
    issuers,
    endpoints: { ...base?.endpoints, ...settings.endpoints },
    tokenAuth: settings.tokenAuth ?? base?.tokenAuth ?? (type === 'github' ? 'body' : null),
    trustsEmails: settings.trustEmails ?? false,
  }
  checkAddresses(provider)
  return provider
}

/** A text that a header can hold. Its value stands in no message: it may be a secret. */
function credential(name: string, key: 'clientId' | 'clientSecret', value: string | undefined): string {
  if (value === undefined || value === '') refuse(`${name}.${key}`, 'is missing')
  if (!/^[\x21-\x7e]+$/.test(value))
    refuse(`${name}.${key}`, 'contains a blank or another character that it cannot have')
  return value
}

function callbacksOf(name: string, value: string | readonly string[] = []): [string, ...string[]] {
  const [first, ...others] = typeof value === 'string' ? [value] : value
  if (first === undefined) refuse(`${name}.callback`, 'is missing; it is the page of the front end that logs users in')
  for (const address of [first, ...others]) {
    const fault = faultOfTarget(address)
    if (fault !== null) refuse(`${name}.callback`, `"${address}" ${fault}`)
  }
  return [first, ...others]
}

function scopeOf(type: Provider['type'], value: string | readonly string[]): readonly string[] {
  const scope = (typeof value === 'string' ? [value] : value).flatMap(one => one.split(/[\s,]+/)).filter(Boolean)
  return type === 'oidc' && !scope.includes('openid') ? ['openid', ...scope] : scope
}

function checkAddresses({ name, type, issuers, endpoints }: Provider): void {
  if (issuers[0] !== undefined) checkAddress(`${name}.issuer`, issuers[0])
  for (const [key, address] of Object.entries(endpoints)) checkAddress(`${name}.endpoints.${key}`, address)
  if (type !== 'github') return
  for (const key of ['authorize', 'token', 'userinfo', 'emails'] as const)
    if (endpoints[key] === undefined) refuse(`${name}.endpoints.${key}`, 'is missing')
}

function checkAddress(path: string, address: string): void {
  const fault = faultOfEndpoint(address)
  if (fault !== null) refuse(path, `"${address}" ${fault}`)
}

/** Returns why an address cannot be one of a provider; null if it may be one. Secrets and codes are sent to it. */
export function faultOfEndpoint(address: string): string | null {
  if (!URL.canParse(address)) return 'is not a URL'
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    return 'must be a URL without a user, a query and a fragment'
  if (protocol === 'https:') return null
  const isNear = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return protocol === 'http:' && (isNear || process.env.NODE_ENV !== 'production') ? null : 'must begin with https://'
}
