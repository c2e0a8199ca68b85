// Begins every request: sets the headers of its answer, which are CORS and the security headers (B-1.55 to B-1.62), and
// judges its body.

import { declareConstantHeaders } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { judgeBody } from './body.ts'
import type { Settings } from './config.ts'
import { corsOf, usualCorsHeaders } from './cors.ts'

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
 * Registers the hook that sets the headers which the settings enable, and judges bodies: one hook, because each costs a
 * small read a hundredth of its time. `isShared`: the server also has routes that are not Plinth's.
 */
export function registerBeginning(app: FastifyInstance, settings: Settings, isShared: boolean): void {
  const sendCors = settings.cors === false ? null : corsOf(app, settings.cors, isShared)
  const fixed = {
    ...(settings.securityHeaders ? security : {}),
    ...(settings.poweredBy === false ? {} : { 'x-powered-by': settings.poweredBy }),
  }
  declareConstantHeaders(app, { ...(settings.cors !== false && usualCorsHeaders(settings.cors)), ...fixed })
  const begin = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    reply.headers(fixed)
    done(judgeBody(request))
  }
  app.addHook('onRequest', (request, reply, done) => {
    const isAnswered = sendCors === null ? false : sendCors(request, reply)
    if (isAnswered === false) begin(request, reply, done)
    else if (isAnswered !== true)
      isAnswered.then(isPreflight => (isPreflight ? undefined : begin(request, reply, done)), done)
  })
}
