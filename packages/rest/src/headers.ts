// Headers of every answer: CORS and the set that browsers obey (B-1.55 to B-1.62).

import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Settings } from './config.ts'

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

/** Registers what the settings ask for. */
export async function registerHeaders(app: FastifyInstance, settings: Settings): Promise<void> {
  if (settings.cors !== false) {
    const origin = settings.cors === true ? true : settings.cors.origin
    if (origin === true && process.env.NODE_ENV === 'production') {
      app.log.warn("any origin may read answers (cors); name the origins in the rest plugin's config")
    }
    const shared = {
      origin,
      credentials: true,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
      allowedHeaders: ['Content-Type', 'Authorization', 'Origin', 'Accept', 'Strapi-Response-Format'],
      maxAge: 31536000,
    }
    // OPTIONS without a preflight's header asks for the methods of a path (B-1.36).
    await app.register(cors, () => (request: FastifyRequest, done: (error: Error | null, options: object) => void) => {
      const isPreflight = request.headers['access-control-request-method'] !== undefined
      done(null, { ...shared, preflight: isPreflight })
    })
  }
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
