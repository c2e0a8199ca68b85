/**
 * Replays all recorded suites against `serve.ts`, each on a fresh server. Writes what passes into README.md and
 * expected.json; with `--check` writes nothing and fails when something got worse.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordTable } from './readme.ts'
import { replay } from './replayer.ts'
import { type Expected, type Report, raise, shortfalls, table } from './report.ts'

const file = join(import.meta.dirname, 'expected.json')

export async function readExpected(): Promise<Expected> {
  return JSON.parse(await readFile(file, 'utf8')) as Expected
}

async function record(report: Report, expected: Expected): Promise<void> {
  await writeFile(file, `${JSON.stringify(raise(report, expected), null, 2)}\n`)
  await recordTable('suites', table(report))
}

if (import.meta.main) {
  const [report, expected] = await Promise.all([replay(), readExpected()])
  if (!process.argv.includes('--check')) await record(report, expected)
  console.log(table(report))
  const lines = shortfalls(report, expected)
  for (const line of lines) console.error(line)
  if (lines.length > 0) process.exitCode = 1
}
