// Bodies into data: JSON, forms, and everything else as nothing (B-1.45 to B-1.50).

import { isUtf8 } from 'node:buffer'
import formbody from '@fastify/formbody'
import { PlinthError, ValidationError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import qs from 'qs'
import sjson from 'secure-json-parse'

const maxDepth = 64

/** Puts v4's body rules in the place of Fastify's. */
export async function registerBodyParsers(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
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

function parseJson(body: Buffer): unknown {
  // Clients send a JSON content-type with DELETE and no body.
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new ValidationError('Invalid body: it is not UTF-8')
  const text = body.toString()
  const value = parseSafely(text)
  if (value === null || typeof value !== 'object') {
    throw new PlinthError(400, 'Error', 'invalid JSON, only supports object and array', null)
  }
  checkDepth(value, maxDepth)
  // No database keeps it everywhere, and none should see it (security.md row 41).
  if (text.includes('\\u0000')) checkNul(value, [])
  return value
}

function parseSafely(text: string): unknown {
  try {
    return sjson.parse(text, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    throw new PlinthError(400, 'SyntaxError', (error as Error).message, null)
  }
}

function checkDepth(value: unknown, left: number): void {
  if (value === null || typeof value !== 'object') return
  if (left === 0) throw new ValidationError(`Invalid body: nested more than ${maxDepth} levels`)
  for (const one of Object.values(value)) checkDepth(one, left - 1)
}

function checkNul(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string' && value.includes('\0')) {
    const at = path.join('.')
    throw new ValidationError(`Invalid value for ${at}: holds a NUL`, { path: at })
  }
  if (value === null || typeof value !== 'object') return
  for (const [key, one] of Object.entries(value)) {
    checkNul(key, [...path, 'a name'])
    checkNul(one, [...path, key])
  }
}

/** The `data` of a body. Throws ValidationError where it is missing (B-1.48). */
export function dataOf(body: unknown): Record<string, unknown> {
  const data = (body as { data?: unknown } | undefined | null)?.data
  if (data === null || typeof data !== 'object') throw new ValidationError('Missing "data" payload in the request body')
  return data as Record<string, unknown>
}
