// Forms into data: the same pairs as query strings, with nothing lost.

import { isUtf8 } from 'node:buffer'
import { ValidationError } from '@plinth/kernel'
import { innerNames, type PairRules, parsePairs } from './pairs.ts'
import { checkText } from './text.ts'

const rules: PairRules = {
  name: 'body',
  // As many as there may be pairs: what is sent as a list is one.
  arrayLimit: 1000,
  strictNullHandling: false,
  refused: innerNames(),
}

/** The data of a form. Throws ValidationError for what cannot be kept as it was sent. */
export function parseForm(body: Buffer): Record<string, unknown> {
  if (!isUtf8(body)) throw new ValidationError('Invalid body: it is not UTF-8')
  const text = body.toString()
  const data = parsePairs(text, rules)
  if (text.includes('%00') || text.includes('\0')) checkText(data)
  return data
}
