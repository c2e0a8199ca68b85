// Who may read answers from other origins (B-1.60 to B-1.62).

import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CorsConfig, OriginFunction } from './config.ts'

/** Anybody, nobody or these. */
type Origins = boolean | string[]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const headers = ['Content-Type', 'Authorization', 'Origin', 'Accept', 'Strapi-Response-Format']

/** Registers the hook that sends the headers and answers preflights. */
export async function registerCors(app: FastifyInstance, config: CorsConfig): Promise<void> {
  const origin = typeof config.origin === 'function' ? config.origin : readOrigins(config.origin ?? true)
  if (origin === true && process.env.NODE_ENV === 'production') {
    app.log.warn("any origin may read answers (cors); name the origins in the rest plugin's config")
  }
  const exposed = listOf(config.expose)
  const shared = {
    credentials: config.credentials ?? true,
    methods: listOf(config.methods) ?? methods,
    allowedHeaders: listOf(config.headers) ?? headers,
    // No header at all where nothing is exposed (B-1.61).
    ...(exposed === undefined || exposed.length === 0 ? {} : { exposedHeaders: exposed }),
    maxAge: config.maxAge ?? 31536000,
  }
  type Done = (error: Error | null, options?: FastifyCorsOptions) => void
  await app.register(cors, () => (request: FastifyRequest, done: Done) => {
    // OPTIONS without a preflight's header asks for the methods of a path (B-1.36).
    const preflight = request.headers['access-control-request-method'] !== undefined
    if (typeof origin !== 'function') return done(null, { ...shared, origin, preflight })
    ask(origin, request).then(found => done(null, { ...shared, origin: found, preflight }), done)
  })
}

async function ask(origin: OriginFunction, request: FastifyRequest): Promise<Origins> {
  return readOrigins(await origin(request))
}

/** Origins as v4 takes them: one, several with commas, a list; "*" is any. What is nothing allows nobody. */
function readOrigins(given: unknown): Origins {
  if (typeof given === 'boolean') return given
  const origins = listOf(given as string | readonly string[] | null | undefined)
  if (origins === undefined) return false
  return origins.includes('*') ? true : origins
}

function listOf(given: string | readonly string[] | null | undefined): string[] | undefined {
  if (given === undefined || given === null) return undefined
  const parts = typeof given === 'string' ? given.split(',') : given
  return parts.map(one => one.trim()).filter(one => one !== '')
}
