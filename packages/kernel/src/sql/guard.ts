// Builds guards: conditions that are always true and let the database check the clock. Each SELECT that may visit many
// rows begins its conditions with one. Only databases that cannot stop a statement by themselves need them
// (Dialect.tick).

import type { Test } from '../plan/plan.ts'
import type { Comparison } from '../query/operators.ts'
import type { Dialect } from './dialect.ts'

/** Comparisons that read a whole text. */
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

/** Maximum number of tests of texts between two checks of the clock. */
const maxPatterns = 8

/** The number of texts that a test reads for each row, without those of other tables. */
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

/** A table whose rows a statement visits. */
export interface VisitedTable {
  readonly alias: string
  /** The table, if each of its rows is visited once. */
  readonly table: string | null
  /** The number of texts that are read for each row. */
  readonly patterns: number
}

/** The conditions by which a statement can be stopped while it visits rows. */
export function guardsOf(dialect: Dialect, { alias, table, patterns }: VisitedTable): readonly string[] {
  if (dialect.tick === null) return []
  // A row takes a tenth of a microsecond, a text slightly more than one per kilobyte. The numbers are primes, because
  // ids may have regular steps.
  const every = patterns === 0 ? 251 : patterns === 1 ? 13 : patterns < maxPatterns ? 7 : 1
  if (every === 1) return [dialect.tick(null)]
  const skip = `${alias}.${dialect.quote('id')} % ${every}`
  return [dialect.tick({ skip, table: patterns === 0 ? table : null })]
}

/** The number of tests; tests of another table count as one. */
export function testsIn(test: Test | null): number {
  if (test === null) return 0
  if (test.op === 'and' || test.op === 'or') return test.of.reduce((sum, one) => sum + testsIn(one), 0)
  return test.op === 'not' || test.op === 'rule' ? testsIn(test.of) : 1
}

/** Joins the tests of a list by AND or OR, with checks of the clock in between if many of them read texts. */
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
