// Parses urlencoded forms into data: pairs as in query strings, without loss.

import { isUtf8 } from 'node:buffer'
import { ValidationError } from '@plinth/kernel'
import { checkText } from '@plinth/server/transport'
import { innerNames, type PairRules, parsePairs } from './pairs.ts'

const rules: PairRules = {
  name: 'body',
  // Equals the maximum number of pairs, so that what is sent as a list stays one.
  arrayLimit: 1000,
  strictNullHandling: false,
  refused: innerNames(),
}

/** The data of a form. Throws ValidationError for text that the database cannot store as it was sent. */
export function parseForm(body: Buffer): Record<string, unknown> {
  if (!isUtf8(body)) throw new ValidationError('Invalid body: it is not UTF-8')
  const text = body.toString()
  const data = parsePairs(text, rules)
  if (text.includes('%00') || text.includes('\0')) checkText(data)
  return data
}
