// Where a statement lets the database look at the clock: a condition that is always true, in each SELECT that may visit many
// rows, first among its conditions. Only databases that cannot end a statement by themselves have one (Dialect.tick).

import type { Test } from '../plan/plan.ts'
import type { Comparison } from '../query/operators.ts'
import type { Dialect } from './dialect.ts'

/** Comparisons that read the whole of a text. */
const patterns: ReadonlySet<Comparison> = new Set<Comparison>([
  'eqi',
  'nei',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'containsi',
  'notContainsi',
  'startsWithi',
  'endsWithi',
])

/** So many tests of texts run at most before the clock is looked at again. */
const maxPatterns = 8

/** How many texts a test reads for each row, those of other tables not counted. */
export function patternsIn(test: Test | null): number {
  if (test === null) return 0
  switch (test.op) {
    case 'and':
    case 'or':
      return test.of.reduce((sum, one) => sum + patternsIn(one), 0)
    case 'not':
    case 'rule':
      return patternsIn(test.of)
    case 'compare':
      return patterns.has(test.comparison) ? 1 : 0
    case 'custom':
      return 1
    default:
      return 0
  }
}

/** What a statement visits the rows of. */
export interface Visited {
  readonly alias: string
  /** The table, where each of its rows is visited once. */
  readonly table: string | null
  /** Texts that are read for each row. */
  readonly patterns: number
}

/** The conditions by which a statement can be stopped while it visits rows. */
export function guardsOf(dialect: Dialect, { alias, table, patterns }: Visited): readonly string[] {
  if (dialect.tick === null) return []
  // A row costs a tenth of a microsecond, a text a good one per kilobyte. Primes: ids may come in steps.
  const every = patterns === 0 ? 251 : patterns === 1 ? 13 : patterns < maxPatterns ? 7 : 1
  if (every === 1) return [dialect.tick(null)]
  const skip = `${alias}.${dialect.quote('id')} % ${every}`
  return [dialect.tick({ skip, table: patterns === 0 ? table : null })]
}

/** How many tests there are, those of other tables as one. */
export function testsIn(test: Test | null): number {
  if (test === null) return 0
  if (test.op === 'and' || test.op === 'or') return test.of.reduce((sum, one) => sum + testsIn(one), 0)
  return test.op === 'not' || test.op === 'rule' ? testsIn(test.of) : 1
}

/** The tests of a list joined by AND or OR; where many of them read texts, the clock is looked at in between. */
export function joinTests(
  dialect: Dialect,
  op: 'and' | 'or',
  tests: readonly Test[],
  texts: readonly string[],
): string {
  const word = op === 'and' ? ' AND ' : ' OR '
  if (dialect.tick === null || tests.length <= maxPatterns) return texts.join(word)
  const parts: string[] = []
  let sum = 0
  for (const [i, text] of texts.entries()) {
    parts.push(text)
    sum += patternsIn(tests[i]!)
    if (sum < maxPatterns) continue
    parts.push(op === 'and' ? dialect.tick(null) : `NOT ${dialect.tick(null)}`)
    sum = 0
  }
  return parts.join(word)
}
