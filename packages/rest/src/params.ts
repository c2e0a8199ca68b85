// Parses query strings into parameters, exactly as v4's clients expect (B-2).

import { innerNames, type PairRules, parsePairs } from './pairs.ts'

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
