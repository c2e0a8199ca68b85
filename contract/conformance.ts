/**
 * Replays all recorded suites against `serve.ts`, each on a new server, on every available database. Writes the results
 * into README.md and expected.json. With `--check` it writes nothing and fails if a result is worse than expected.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, databases } from '@plinth/test-tools/databases'
import { recordTable } from './readme.ts'
import { replay } from './replayer.ts'
import { type Expected, fewest, type Report, raise, shortfalls, table } from './report.ts'

const file = join(import.meta.dirname, 'expected.json')

/** Replays all suites, or some of them, on one database. */
export function replayOn(client: Client, isIncluded?: (suite: string) => boolean): Promise<Report> {
  const own = client === 'sqlite' ? [] : [`deviations-${client}.json`]
  const deviations = [...own, 'deviations.json']
  return replay({ deviations, env: { DATABASE_CLIENT: client }, ...(isIncluded !== undefined && { isIncluded }) })
}

/** Whether a suite asks what a query finds, which is about half of all steps; the others are tests of their own. */
export const isOfQueries = (suite: string) =>
  /^(?:combinations|fields|filters|pagination|populate|publication-state|query-strings|sort)(?:-|$)/.test(suite)

/** The suites that must pass completely on every database. */
export async function readExpected(): Promise<Expected> {
  return JSON.parse(await readFile(file, 'utf8')) as Expected
}

async function record(report: Report, expected: Expected): Promise<void> {
  await writeFile(file, `${JSON.stringify(raise(report, expected), null, 2)}\n`)
  await recordTable('suites', table(report))
}

if (import.meta.main) {
  const expected = await readExpected()
  const reports: Report[] = []
  for (const client of await databases()) {
    const report = await replayOn(client)
    for (const line of shortfalls(report, expected)) {
      console.error(`${client}: ${line}`)
      process.exitCode = 1
    }
    reports.push(report)
  }
  const report = fewest(reports)
  if (!process.argv.includes('--check')) await record(report, expected)
  console.log(table(report))
}
