// Loads mqemitter-redis, which an application installs if it wants subscriptions across processes, and makes an emitter.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PluginConfigError } from '@plinth/kernel'
import type { Emitter } from './redis-pub-sub.ts'

type MakeEmitter = (options: object) => Emitter

/** An emitter for the option `redis`. Throws PluginConfigError if the package is missing, and for a text that is not a URL of Redis. */
export function makeEmitter(redis: string | object, dir: string): Emitter {
  const options = typeof redis === 'string' ? optionsOf(redis) : redis
  // A command that waits for a connection must not wait for ever.
  return loadPackage(dir)({ maxRetriesPerRequest: 3, ...options })
}

function loadPackage(dir: string): MakeEmitter {
  for (const from of [join(dir, 'package.json'), import.meta.url]) {
    try {
      return createRequire(from)('mqemitter-redis') as MakeEmitter
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new PluginConfigError([
    'graphql-subscriptions.config.redis: needs the package mqemitter-redis: npm install mqemitter-redis',
  ])
}

/** mqemitter-redis takes a URL only without further options. */
function optionsOf(text: string): object {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol))
    throw new PluginConfigError(['graphql-subscriptions.config.redis: must be a URL like redis://127.0.0.1:6379'])
  const { hostname, port, username, password, pathname, protocol } = url
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 6379 : Number(port),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 ? { db: Number(pathname.slice(1)) } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  }
}
