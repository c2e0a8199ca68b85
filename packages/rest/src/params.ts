// Query strings into parameters, exactly as v4's clients expect (B-2, clients.md): qs, with its silent losses refused.

import { ValidationError } from '@plinth/kernel'
import qs from 'qs'

const maxParameters = 1000
const maxDepth = 20

/** The parameters of a raw query string (without "?"). Throws ValidationError where qs would drop something silently. */
export function parseQueryString(raw: string): Record<string, unknown> {
  if (raw === '') return {}
  checkEscapes(raw)
  let count = 1
  for (let i = raw.indexOf('&'); i !== -1; i = raw.indexOf('&', i + 1)) count++
  if (count > maxParameters)
    throw new ValidationError(`Too many parameters: ${count}, at most ${maxParameters} are read`)
  checkDepth(raw)
  return qs.parse(raw, { strictNullHandling: true, arrayLimit: 100, depth: maxDepth, parameterLimit: maxParameters })
}

/** Escapes that are no UTF-8 would reach the database as other text than was meant (security.md row 41). */
function checkEscapes(raw: string): void {
  if (!raw.includes('%')) return
  try {
    decodeURIComponent(raw)
  } catch {
    throw new ValidationError('Invalid query string: an escape sequence is broken')
  }
}

/** Beyond its depth qs keeps the rest of a key as one literal name. */
function checkDepth(raw: string): void {
  for (const part of raw.split('&')) {
    const end = part.indexOf('=')
    const key = end === -1 ? part : part.slice(0, end)
    const brackets = key.match(/\[|%5b/gi)
    if (brackets !== null && brackets.length > maxDepth) {
      throw new ValidationError(`Invalid query string: ${key.slice(0, 60)}… is nested more than ${maxDepth} levels`)
    }
  }
}
