// Parses bodies into data: JSON and urlencoded forms. Multipart bodies are left to the handlers; any other body yields no
// data (B-1.45 to B-1.50).

import type { IncomingMessage } from 'node:http'
import { PlinthError, ValidationError } from '@plinth/kernel'
import { parseJson } from '@plinth/server/transport'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BodyLimits } from './config.ts'
import { parseForm } from './form.ts'

/** Requests with a multipart body, which nobody has read. */
const multipart = new WeakSet<IncomingMessage>()

/** Returns whether a request has a multipart body, which the handler reads when it has checked the right to the action. */
export function isMultipart(request: FastifyRequest): boolean {
  return multipart.has(request.raw)
}

/** Replaces Fastify's body rules by v4's, for the routes of `app`. */
export function registerBodyParsers(app: FastifyInstance, limits: BodyLimits): void {
  app.removeAllContentTypeParsers()
  addParser(app, 'application/json', limits.json, parseJson)
  addParser(app, 'application/x-www-form-urlencoded', limits.form, parseForm)
  app.addContentTypeParser('multipart/form-data', (_request, stream, done) => {
    multipart.add(stream)
    done(null)
  })
  // Bodies of other types are not parsed, so the handler finds no data, as in v4.
  addParser(app, /^text\//, limits.text, () => undefined)
  app.addContentTypeParser('*', (_request, _stream, done) => done(null))
}

/**
 * Decides whether a body is read, in an onRequest hook; returns an error if it is refused. `addHttpMethod` would decide it
 * for all routes of the server.
 */
export function checkBody(request: FastifyRequest): Error | undefined {
  const { method } = request.raw
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity')
      return new PlinthError(415, 'UnsupportedMediaTypeError', `Content-Encoding ${encoding} is not supported`)
  } else if (method === 'DELETE' || method === 'OPTIONS') {
    // Bodies of these methods are ignored (B-1.45), even of unknown types and malformed ones: Fastify does not read a
    // body without a content type.
    const { headers } = request
    if (headers['content-type'] !== undefined) request.headers = { ...headers, 'content-type': undefined }
  }
  return undefined
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

/** The `data` of a body. Throws ValidationError if it is missing (B-1.48). */
export function dataOf(body: unknown): Record<string, unknown> {
  const data = (body as { data?: unknown } | undefined | null)?.data
  if (data === null || typeof data !== 'object') throw new ValidationError('Missing "data" payload in the request body')
  return data as Record<string, unknown>
}
