// Parses query strings into parameters, exactly as v4's clients expect (B-2).

import type { Kernel } from '@plinth/kernel'
import { queryStringOf } from '@plinth/server/transport'
import { checkEscapes, innerNames, type PairRules, parsePairs, renameKeys } from './pairs.ts'

// Names of prototypes are treated as if they were absent (security.md row 25).
const rules: PairRules = {
  name: 'query string',
  arrayLimit: 100,
  strictNullHandling: true,
  refused: innerNames({ except: ['__proto__', 'constructor'] }),
}

/** The parameters of a raw query string (without "?"). Throws ValidationError if qs would silently drop something. */
export function parseQueryString(raw: string): Record<string, unknown> {
  return parsePairs(raw, rules)
}

/** Returns the parameters of a request's query string. Throws as `parseQueryString` does. */
export function queryOf(request: Parameters<typeof queryStringOf>[0]): Record<string, unknown> {
  return parseQueryString(queryStringOf(request))
}

/** Marks names while a text is nested. No attribute begins with it. */
const mark = '$own$'

/**
 * The parser of query strings for a model: qs drops names of Object.prototype, such as `toString`, also if attributes have
 * them, and a dropped filter would widen the answer. Nearly all models have none.
 */
export function queryStringParser({ contentTypes }: Pick<Kernel, 'contentTypes'>): typeof parseQueryString {
  const names = new Set(contentTypes.values().flatMap(type => [...type.attributes.keys()]))
  const own = [...names].filter(name => name !== '__proto__' && name in Object.prototype)
  if (own.length === 0) return parseQueryString
  const keyPattern = new RegExp(`\\[(${own.join('|')})\\]`, 'g')
  return raw => {
    checkEscapes(raw, rules)
    const marked = renameKeys(raw, key => key.replaceAll(keyPattern, (_, name: string) => `[${mark}${name}]`))
    const parsed = parseQueryString(marked)
    return marked === raw ? parsed : (unmarked(parsed) as Record<string, unknown>)
  }
}

/** The same parameters, without marks before their names. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(
    ([name, one]) => [name.startsWith(mark) ? name.slice(mark.length) : name, unmarked(one)] as const,
  )
  return Object.fromEntries(entries)
}
