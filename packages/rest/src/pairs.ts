// Parses name=value pairs of query strings and forms (clients.md 2.1) with qs, and refuses what qs would silently drop
// or alter.

import { ValidationError } from '@plinth/kernel'
import { parseNested } from '@plinth/server/transport'
import { nestPlain } from './nest.ts'

const maxParameters = 1000
const maxDepth = 20

/** For this many pairs of lists, qs takes a millisecond. */
const manyPairs = 200

/** The rules by which one kind of text is read; `name` is its name in error messages. */
export interface PairRules {
  readonly name: string
  /** Maximum length of a list; a longer one becomes an object with numbers as names. */
  readonly arrayLimit: number
  /** True if `a` without "=" is null instead of an empty text. */
  readonly strictNullHandling: boolean
  /** Matches names in brackets that are refused, because qs would drop them. */
  readonly refused: RegExp
}

/** Matches names of Object.prototype in the brackets of a key: qs drops such pairs. */
export function innerNames({ except = [] }: { readonly except?: readonly string[] } = {}): RegExp {
  const names = Object.getOwnPropertyNames(Object.prototype).filter(name => !except.includes(name))
  return new RegExp(`\\[(?:${names.join('|')})\\]`)
}

/** The nested values of a text of pairs. Throws ValidationError if qs would drop or alter something. */
export function parsePairs(raw: string, rules: PairRules): Record<string, unknown> {
  if (raw === '') return {}
  checkEscapes(raw, rules)
  let count = 1
  for (let i = raw.indexOf('&'); i !== -1; i = raw.indexOf('&', i + 1)) count++
  if (count > maxParameters)
    throw new ValidationError(`Too many parameters: ${count}, but the limit is ${maxParameters}`)
  const pairs = raw.split('&')
  for (const pair of pairs) checkKey(keyOf(pair), rules)
  const { arrayLimit, strictNullHandling } = rules
  if (count > manyPairs) {
    const nested = nestPlain(pairs, rules)
    if (nested !== null) return nested
  }
  return parseNested(raw, { strictNullHandling, arrayLimit, depth: maxDepth, parameterLimit: maxParameters })
}

/** Escapes that are not UTF-8 would reach the database as a different text (security.md row 41). */
export function checkEscapes(raw: string, { name }: Pick<PairRules, 'name'>): void {
  if (!raw.includes('%')) return
  try {
    decodeURIComponent(raw)
  } catch {
    throw new ValidationError(`Invalid ${name}: an escape sequence is not valid`)
  }
}

/** The key of a pair, delimited as qs does it: a "=" in brackets belongs to the key. */
function keyOf(pair: string): string {
  const key = pair.slice(0, endOfKey(pair))
  return key.includes('%') ? decodeURIComponent(key) : key
}

function endOfKey(pair: string): number {
  const closed = pair.indexOf(']=')
  const end = closed === -1 ? pair.indexOf('=') : closed + 1
  return end === -1 ? pair.length : end
}

/** The text with another key for each pair whose decoded key `rename` changes. Escapes must be valid. */
export function renameKeys(raw: string, rename: (key: string) => string): string {
  return raw
    .split('&')
    .map(pair => {
      const key = keyOf(pair)
      const renamed = rename(key)
      return renamed === key ? pair : `${encodeURIComponent(renamed)}${pair.slice(endOfKey(pair))}`
    })
    .join('&')
}

function checkKey(key: string, { name, refused }: PairRules): void {
  const first = key.indexOf('[')
  if (first === -1) return
  let depth = 1
  for (let i = key.indexOf('[', first + 1); i !== -1; i = key.indexOf('[', i + 1)) depth++
  // Beyond this depth, qs keeps the rest of a key as one literal name.
  if (depth > maxDepth)
    throw new ValidationError(`Invalid ${name}: ${key.slice(0, 60)}… is nested more than ${maxDepth} levels`)
  // A dropped filter would widen the answer (B-2.6).
  const lost = refused.exec(key)
  if (lost === null) return
  const path = key
    .slice(0, lost.index + lost[0].length)
    .replaceAll('[', '.')
    .replaceAll(']', '')
  throw new ValidationError(`Invalid parameter ${path}`, { path })
}
