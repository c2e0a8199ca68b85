/**
 * Replays all recorded suites against `serve.ts`, each on a fresh server. Writes what passes into README.md and
 * expected.json; with `--check` writes nothing and fails when something got worse.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type Expected, type Report, raise, shortfalls, table } from './report.ts'

const here = import.meta.dirname
const [begin, end] = ['<!-- suites -->', '<!-- /suites -->']

/** Replays every suite; the exit code does not matter, the report tells. */
export async function replay(): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-conformance-'))
  const file = join(folder, 'report.json')
  // The servers must run on this very Node: the one that comes first in PATH may be too old to run TypeScript.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  // The order of keys is the format's too (B-3.3).
  const options = [
    '--strict-order',
    '--start',
    'exec node serve.ts',
    '--deviations',
    'deviations.json',
    '--jobs',
    '2',
    '--report',
    file,
  ]
  const child = spawn(process.execPath, ['replay.mjs', '--all', ...options, '--timeout', '20', '--quiet'], {
    cwd: here,
    env: { ...process.env, PATH, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', chunk => {
    complaint += chunk
  })
  try {
    await new Promise(done => child.once('close', done))
    return JSON.parse(await readFile(file, 'utf8')) as Report
  } catch (cause) {
    throw new Error(`the replayer left no report\n${complaint}`, { cause })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function readExpected(): Promise<Expected> {
  return JSON.parse(await readFile(join(here, 'expected.json'), 'utf8')) as Expected
}

async function record(report: Report, expected: Expected): Promise<void> {
  await writeFile(join(here, 'expected.json'), `${JSON.stringify(raise(report, expected), null, 2)}\n`)
  const readme = join(here, 'README.md')
  const text = await readFile(readme, 'utf8')
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`README.md lacks the markers ${begin} and ${end}`)
  await writeFile(readme, `${text.slice(0, before + begin.length)}\n\n${table(report)}\n\n${text.slice(after)}`)
}

if (import.meta.main) {
  const [report, expected] = await Promise.all([replay(), readExpected()])
  if (!process.argv.includes('--check')) await record(report, expected)
  console.log(table(report))
  const lines = shortfalls(report, expected)
  for (const line of lines) console.error(line)
  if (lines.length > 0) process.exitCode = 1
}
