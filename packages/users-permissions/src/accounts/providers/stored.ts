// The providers that v4's admin panel stored in the database, in the form of the settings. Those of config/plugins win.

import type { ProviderConfig } from './config.ts'

type StoredSettings = Readonly<Record<string, unknown>>

/** A provider of v4 that is enabled: its settings, or why it cannot be used here. */
export interface StoredProvider {
  readonly name: string
  readonly config: ProviderConfig | null
}

/** The issuers of providers whose server v4 knows by its `subdomain`. */
const issuers: Readonly<Record<string, (subdomain: string) => string>> = {
  auth0: subdomain => `https://${subdomain}.auth0.com/`,
  keycloak: subdomain => `https://${subdomain}`,
}

/** The enabled ones of what was stored. Addresses of the front end may be relative to `serverUrl`. */
export function storedProviders(stored: StoredSettings, serverUrl: string): StoredProvider[] {
  return Object.entries(stored)
    .filter(([name, value]) => name !== 'email' && (value as StoredSettings | null)?.enabled === true)
    .map(([name, value]) => ({ name, config: configOf(name, value as StoredSettings, serverUrl) }))
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function configOf(name: string, stored: StoredSettings, serverUrl: string): ProviderConfig | null {
  const subdomain = textOf(stored.subdomain)
  const issuer = Object.hasOwn(issuers, name) && subdomain !== undefined ? issuers[name]!(subdomain) : undefined
  if (issuer === undefined && name !== 'github' && name !== 'google') return null
  const [clientId, clientSecret, callback] = [stored.key, stored.secret, stored.callback].map(textOf)
  const target = callback !== undefined && URL.canParse(callback, `${serverUrl}/`) ? callback : undefined
  const scope = Array.isArray(stored.scope) ? stored.scope.filter(one => typeof one === 'string') : undefined
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(target !== undefined && { callback: new URL(target, `${serverUrl}/`).href }),
    ...(scope !== undefined && scope.length > 0 && { scope }),
    ...(issuer !== undefined && { issuer }),
  }
}
