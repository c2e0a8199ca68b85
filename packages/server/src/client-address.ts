// Finds the address of the client of a request that Fastify does not route, such as one that becomes a WebSocket. Of all
// others, Fastify knows it.

import type { IncomingMessage } from 'node:http'
import { all, compile } from '@fastify/proxy-addr'
import type { Kernel } from '@plinth/kernel'
import { type TrustProxy, trustProxyOf } from './proxy.ts'

/**
 * Returns the address of the client as the proxy names it that `proxy` of config/server trusts, and else that of the
 * connection.
 */
export function clientAddress({ config }: Kernel, request: IncomingMessage): string {
  // The connection of a client that has gone has no address.
  return all(request, trustOf(trustProxyOf(config.server ?? {}))).at(-1) ?? ''
}

/** Reads the setting as Fastify reads its `trustProxy`. */
export function trustOf(proxy: TrustProxy): ReturnType<typeof compile> {
  if (typeof proxy === 'boolean') return () => proxy
  return compile(typeof proxy === 'string' ? proxy.split(',').map(one => one.trim()) : proxy)
}
