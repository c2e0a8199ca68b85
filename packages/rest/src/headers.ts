// Sets the headers of every answer: CORS and the security headers (B-1.55 to B-1.62).

import type { FastifyInstance } from 'fastify'
import type { Settings } from './config.ts'
import { registerCors } from './cors.ts'

const security = {
  'content-security-policy':
    "default-src 'self';connect-src 'self' https:;img-src 'self' data: blob:;media-src 'self' data: blob:;base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
}

/**
 * Registers the hooks of the headers that the settings enable. `isShared`: the server also has routes that are not
 * Plinth's.
 */
export function registerHeaders(app: FastifyInstance, settings: Settings, isShared: boolean): void {
  if (settings.cors !== false) registerCors(app, settings.cors, isShared)
  const fixed = {
    ...(settings.securityHeaders ? security : {}),
    ...(settings.poweredBy === false ? {} : { 'x-powered-by': settings.poweredBy }),
  }
  if (Object.keys(fixed).length === 0) return
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(fixed)
    done()
  })
}
