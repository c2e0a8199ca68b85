/** Runs the recorded replayer and reads the report it leaves. Knows no suite and no server. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Report } from './report.ts'

export interface Replay {
  /** Folder of the suites; the recorded ones. */
  readonly suites?: string
  /** Folder of the application; the recorded content model. */
  readonly appDir?: string
  /** Files of answers that differ from the recorded ones; of two for one step the first counts. */
  readonly deviations?: readonly string[]
  /** Starts the server under test. */
  readonly start?: string
  /** Further variables for the server. */
  readonly env?: Readonly<Record<string, string>>
}

/** Replays every suite of a folder, each on a fresh server; the exit code does not matter, the report tells. */
export async function replay({
  suites,
  appDir,
  deviations = ['deviations.json'],
  start = 'exec node serve.ts',
  env = {},
}: Replay = {}): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-replay-'))
  const file = join(folder, 'report.json')
  const merged = join(folder, 'deviations.json')
  const lists = deviations.map(name => readFile(join(import.meta.dirname, name), 'utf8'))
  await writeFile(merged, JSON.stringify((await Promise.all(lists)).flatMap(text => JSON.parse(text))))
  // The order of keys is the format's too (B-3.3).
  const options = ['--strict-order', '--deviations', merged, '--jobs', '2', '--timeout', '90', '--quiet']
  if (suites !== undefined) options.push('--suites', suites)
  if (appDir !== undefined) options.push('--app-dir', appDir)
  // The servers must run on this very Node: the one that comes first in PATH may be too old to run TypeScript.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const child = spawn(process.execPath, ['replay.mjs', '--all', ...options, '--start', start, '--report', file], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...env, PATH, NODE_OPTIONS: '' },
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
    throw new Error(`The replayer wrote no report\n${complaint}`, { cause })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
