// Bodies into data: JSON, forms of both kinds, and everything else as nothing (B-1.45 to B-1.50).

import type { IncomingMessage } from 'node:http'
import { PlinthError, ValidationError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import type { BodyLimits } from './config.ts'
import { parseForm } from './form.ts'
import { parseJson } from './json.ts'
import { parseMultipart } from './multipart.ts'

/** Methods whose bodies Fastify would read, and v4 does not. */
const bodiless = ['DELETE', 'OPTIONS']

function readsBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** Puts v4's body rules in the place of Fastify's. */
export async function registerBodyParsers(app: FastifyInstance, limits: BodyLimits): Promise<void> {
  app.removeAllContentTypeParsers()
  // Bodies of others mean nothing (B-1.45): neither their type nor their faults count.
  for (const method of bodiless) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  addParser(app, 'application/json', limits.json, parseJson)
  addParser(app, 'application/x-www-form-urlencoded', limits.form, parseForm)
  app.addContentTypeParser('multipart/form-data', async (_request: unknown, stream: IncomingMessage) =>
    parseMultipart(stream, limits.json),
  )
  // Other types are left alone: the handler then misses its data, as in v4.
  addParser(app, /^text\//, limits.text, () => undefined)
  app.addContentTypeParser('*', (_request, _stream, done) => done(null))
  app.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity' || !readsBody(request.method)) return done()
    done(new PlinthError(415, 'UnsupportedMediaTypeError', `Content-Encoding ${encoding} is not supported`))
  })
}

function addParser(
  app: FastifyInstance,
  type: string | RegExp,
  bodyLimit: number,
  parse: (body: Buffer) => unknown,
): void {
  app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer', bodyLimit }, (_request, body, done) => {
    try {
      done(null, parse(body))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** The `data` of a body. Throws ValidationError where it is missing (B-1.48). */
export function dataOf(body: unknown): Record<string, unknown> {
  const data = (body as { data?: unknown } | undefined | null)?.data
  if (data === null || typeof data !== 'object') throw new ValidationError('Missing "data" payload in the request body')
  return data as Record<string, unknown>
}
