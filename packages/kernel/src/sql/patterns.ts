// Builds the patterns of LIKE for text operators, for dialects. Builds no statements.

import type { Comparison } from '../query/operators.ts'

/**
 * The escape character of LIKE is `!`: its default is a backslash, which is the escape character of MySQL's strings
 * too.
 */
const escapeLike = (value: string) => value.replace(/[!%_]/g, '!$&')

/** The pattern of a text operator; operators without an entry use no pattern. */
export const patterns: Partial<Record<Comparison, (value: string) => string>> = {
  contains: value => `%${escapeLike(value)}%`,
  notContains: value => `%${escapeLike(value)}%`,
  containsi: value => `%${escapeLike(value)}%`,
  notContainsi: value => `%${escapeLike(value)}%`,
  startsWith: value => `${escapeLike(value)}%`,
  startsWithi: value => `${escapeLike(value)}%`,
  endsWith: value => `%${escapeLike(value)}`,
  endsWithi: value => `%${escapeLike(value)}`,
}

/** Returns whether an operator compares texts, for any storage. */
export function isTextual(comparison: Comparison): boolean {
  return comparison === 'eqi' || comparison === 'nei' || patterns[comparison] !== undefined
}
