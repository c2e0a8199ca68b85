// Bodies into data: JSON, forms, and everything else as nothing (B-1.45 to B-1.50).

import formbody from '@fastify/formbody'
import { PlinthError, ValidationError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import qs from 'qs'
import sjson from 'secure-json-parse'

const maxDepth = 64

/** Puts v4's body rules in the place of Fastify's. */
export async function registerBodyParsers(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as string))
    } catch (error) {
      done(error as Error)
    }
  })
  await app.register(formbody, {
    bodyLimit: 56 * 1024,
    parser: text => qs.parse(text, { depth: 20, arrayLimit: 100, parameterLimit: 1000 }) as Record<string, unknown>,
  })
  // Other types are read and left alone: the handler then misses its data, as in v4.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined))
  app.addHook('onRequest', async request => {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      throw new PlinthError(415, 'UnsupportedMediaTypeError', `Content-Encoding ${encoding} is not supported`)
    }
  })
}

function parseJson(text: string): unknown {
  // Clients send a JSON content-type with DELETE and no body.
  if (text === '') return undefined
  const value = parseSafely(text)
  if (value === null || typeof value !== 'object') {
    throw new PlinthError(400, 'Error', 'invalid JSON, only supports object and array', null)
  }
  if (isDeeper(value, maxDepth)) throw new ValidationError(`Invalid body: nested more than ${maxDepth} levels`)
  return value
}

function parseSafely(text: string): unknown {
  try {
    return sjson.parse(text, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    throw new PlinthError(400, 'SyntaxError', (error as Error).message, null)
  }
}

function isDeeper(value: unknown, left: number): boolean {
  if (value === null || typeof value !== 'object') return false
  if (left === 0) return true
  for (const one of Object.values(value)) if (isDeeper(one, left - 1)) return true
  return false
}

/** The `data` of a body. Throws ValidationError where it is missing (B-1.48). */
export function dataOf(body: unknown): Record<string, unknown> {
  const data = (body as { data?: unknown } | undefined | null)?.data
  if (data === null || typeof data !== 'object') throw new ValidationError('Missing "data" payload in the request body')
  return data as Record<string, unknown>
}
