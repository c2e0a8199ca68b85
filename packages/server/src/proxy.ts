// Validates the setting `proxy` of config/server: which proxies are trusted to report the client's address (B-10.41).

import { compile } from '@fastify/proxy-addr'
import { StartError } from '@plinth/kernel'

/** The allowed values: v4's true and false, and the narrower values of Fastify's `trustProxy`. */
export type TrustProxy = boolean | string | string[]

/** The value of Fastify's `trustProxy`. Throws StartError if the setting is invalid. */
export function trustProxyOf(config: Readonly<Record<string, unknown>>): TrustProxy {
  const { proxy } = config
  // An empty text comes from an empty environment variable.
  if (proxy === undefined || proxy === null || proxy === '') return false
  if (typeof proxy === 'boolean') return proxy
  if (typeof proxy === 'string' && isAddresses(proxy.split(','))) return proxy
  if (Array.isArray(proxy) && proxy.length > 0 && isAddresses(proxy)) return proxy
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `config/server: proxy must be true, false, or the addresses of proxies ("10.0.0.1, 192.168.0.0/16"), not ${JSON.stringify(proxy)}`,
  )
}

/** Returns whether all are addresses as Fastify reads them: an address, a range with its prefix length or mask, or a name. */
function isAddresses(all: readonly unknown[]): all is string[] {
  return all.every(one => typeof one === 'string' && canCompile(one.trim()))
}

function canCompile(text: string): boolean {
  try {
    compile(text)
    return true
  } catch {
    return false
  }
}
