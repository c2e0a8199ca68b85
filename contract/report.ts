/**
 * Checks a replay of the recorded suites: compares the replayer's report with expected.json, and makes the table of the
 * README. It must not depend on a server.
 */

export interface Step {
  readonly name: string
  readonly passed: boolean
  readonly differences: readonly string[]
  readonly actual?: { readonly status: number }
}

export interface SuiteReport {
  readonly suite: string
  readonly passed: number
  readonly failed: number
  /** Why its server did not start. */
  readonly error?: string
  readonly results: readonly Step[]
}

export interface Report {
  readonly suites: readonly SuiteReport[]
}

/**
 * The suites that must pass completely, and the number of steps that each suite passed when the file was last written.
 */
export interface Expected {
  readonly whole: readonly string[]
  readonly passed: Readonly<Record<string, number>>
}

/** The expectation of some of the suites. */
export function partOf({ whole, passed }: Expected, isIncluded: (suite: string) => boolean): Expected {
  return {
    whole: whole.filter(isIncluded),
    passed: Object.fromEntries(Object.entries(passed).filter(([suite]) => isIncluded(suite))),
  }
}

/** Why servers did not start. */
export function startFaults({ suites }: Report): string[] {
  return suites.flatMap(({ suite, error }) => (error === undefined ? [] : [`${suite}: ${error}`]))
}

/** Steps with a status of 500 or above. An internal error is a failure even if the recording contains one (a quirk). */
export function internalErrors({ suites }: Report): string[] {
  return suites.flatMap(({ suite, results }) =>
    results
      .filter(({ actual }) => actual !== undefined && actual.status >= 500)
      .map(({ name, actual }) => `${suite} › ${name}: answered with ${actual?.status}`),
  )
}

const failures = ({ suite, results }: SuiteReport): string[] =>
  results.filter(step => !step.passed).map(step => `${suite} › ${step.name}: ${step.differences[0]}`)

/** The results that are worse than expected, one line for each; [] if none is. */
export function shortfalls(report: Report, expected: Expected): string[] {
  const found = new Map(report.suites.map(suite => [suite.suite, suite]))
  const lines = internalErrors(report)
  for (const name of expected.whole) {
    const suite = found.get(name)
    if (suite === undefined) lines.push(`${name}: was not replayed`)
    else lines.push(...failures(suite))
  }
  for (const [name, passed] of Object.entries(expected.passed)) {
    const now = found.get(name)?.passed ?? 0
    if (now >= passed) continue
    lines.push(`${name}: ${now} steps pass, but ${passed} are expected`)
    if (!expected.whole.includes(name))
      lines.push(...failures(found.get(name) ?? { suite: name, passed: 0, failed: 0, results: [] }))
  }
  return lines
}

/**
 * The expectation after a run with better results. Numbers only rise; to lower one, edit the file and give the reason.
 */
export function raise(report: Report, expected: Expected): Expected {
  const passed = report.suites.map(
    ({ suite, passed }) => [suite, Math.max(passed, expected.passed[suite] ?? 0)] as const,
  )
  return { whole: expected.whole, passed: Object.fromEntries(passed) }
}

/** The result on several databases: for each suite, the one with the fewest passed steps. */
export function fewest(reports: readonly Report[]): Report {
  const [first, ...rest] = reports
  const suites = first!.suites.map(suite =>
    rest
      .flatMap(report => report.suites.filter(other => other.suite === suite.suite))
      .reduce((least, other) => (other.passed < least.passed ? other : least), suite),
  )
  return { suites }
}

/** The table of the README: passed and all steps of each suite. */
export function table({ suites }: Report): string {
  const row = (name: string, of: readonly SuiteReport[]) => {
    const passed = of.reduce((total, suite) => total + suite.passed, 0)
    const all = of.reduce((total, suite) => total + suite.passed + suite.failed, 0)
    return [name, `${passed} / ${all}`, passed === all ? '✓' : '']
  }
  return markdown([
    ['suite', 'passed / all', 'whole'],
    ...suites.map(suite => row(suite.suite, [suite])),
    row('**all**', suites),
  ])
}

/** A table whose first row is the head. Columns are padded as the formatter does it. */
export function markdown([head, ...rows]: readonly (readonly string[])[]): string {
  const widths = head!.map((title, i) => Math.max(title.length, ...rows.map(cells => cells[i]!.length)))
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!, fill)).join(' | ')} |`
  return [
    line(head!),
    line(
      head!.map(() => ''),
      '-',
    ),
    ...rows.map(cells => line(cells)),
  ].join('\n')
}
