// Parses JSON of clients for all transports, strictly: ambiguous input is refused.

import { isUtf8 } from 'node:buffer'
import { PlinthError, ValidationError } from '@plinth/kernel'
import sjson from 'secure-json-parse'
import { checkText } from './text.ts'

const maxDepth = 64

/** Escapes that may stand for a NUL or for half of a surrogate pair. */
const suspicious = /\\u(?:0000|d[89a-f])/i

/** Parses a body into an object or a list; undefined if it is empty. Throws PlinthError for anything else. */
export function parseJson(body: Buffer): unknown {
  // Some clients send a JSON content type without a body.
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new ValidationError('Invalid body: it is not UTF-8')
  return parseJsonText(body.toString())
}

/** The same for text. */
export function parseJsonText(text: string): unknown {
  const value = parseSafely(text)
  if (value === null || typeof value !== 'object') {
    throw new PlinthError(400, 'Error', 'invalid JSON, only supports object and array', null)
  }
  checkDepth(value, maxDepth)
  if (text.includes('\\u') && suspicious.test(text)) checkText(value)
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
