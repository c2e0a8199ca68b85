/** Runs the recorded replayer in a process and reads its report. It must not depend on a suite or a server. */

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Report, SuiteReport } from './report.ts'

export interface Replay {
  /** The folder of the suites; by default the recorded ones. */
  readonly suites?: string
  /** Which of the recorded suites are replayed, by their names; by default all. */
  readonly isIncluded?: (suite: string) => boolean
  /** The folder of the application; by default the recorded content model. */
  readonly appDir?: string
  /** Files of deviations from the recorded answers. If two of them contain a step, the first one applies. */
  readonly deviations?: readonly string[]
  /** The command that starts the server under test; by default, the servers of all suites are in one process. */
  readonly start?: string
  /** Whether the order of keys is compared; by default it is. */
  readonly isOrdered?: boolean
  /** Further environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>
}

/** Where the recorded suites are. */
const recorded = join(import.meta.dirname, 'suites')

/**
 * How often a suite is replayed whose port was taken: the recorded replayer looks for a free one and lets it go again, and a
 * connection of another process may get it before the server does.
 */
const maxRounds = 5

/** Replays all suites of a folder, each on a new server. */
export async function replay({
  suites,
  isIncluded = () => true,
  appDir,
  deviations = ['deviations.json'],
  start,
  isOrdered = true,
  env = {},
}: Replay = {}): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-replay-'))
  const merged = join(folder, 'deviations.json')
  const lists = deviations.map(name => readFile(join(import.meta.dirname, name), 'utf8'))
  await writeFile(merged, JSON.stringify((await Promise.all(lists)).flatMap(text => JSON.parse(text))))
  // The order of keys belongs to the format as well (B-3.3).
  const order = isOrdered ? ['--strict-order'] : []
  const options = [...order, '--deviations', merged, '--jobs', '2', '--timeout', '90', '--quiet']
  if (appDir !== undefined) options.push('--app-dir', appDir)
  // The servers must run on the Node of this process: the first one in PATH may be too old to run TypeScript.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const socket = join(folder, 'servers')
  const variables = { ...process.env, ...env, PATH, NODE_OPTIONS: '', PLINTH_SERVER_HOST: socket }
  options.push('--start', start ?? 'exec node hosted-server.ts')
  const from = suites ?? recorded
  const run = async (name: string, isChosen: (suite: string) => boolean) => {
    const target = join(folder, name)
    await copySuites(from, target, isChosen)
    return runReplayer([...options, '--suites', target, '--report', `${target}.json`], variables)
  }
  let host: ChildProcess | null = null
  try {
    if (start === undefined) host = await startHost(variables)
    let report = await run('0', isIncluded)
    for (let round = 1; round < maxRounds && report.suites.some(hadNoPort); round++) {
      const names = report.suites.filter(hadNoPort).map(({ suite }) => suite)
      const again = await run(String(round), name => names.includes(name))
      report = { suites: report.suites.map(one => again.suites.find(({ suite }) => suite === one.suite) ?? one) }
    }
    return report
  } finally {
    if (host !== null) await endHost(host)
    await rm(folder, { recursive: true, force: true })
  }
}

const hadNoPort = ({ error = '' }: SuiteReport) => error.includes('EADDRINUSE')

/** Runs the recorded replayer. Its exit code is ignored, because the report contains the result. */
async function runReplayer(options: readonly string[], env: NodeJS.ProcessEnv): Promise<Report> {
  const child = spawn(process.execPath, ['replay.mjs', '--all', ...options], {
    cwd: import.meta.dirname,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', chunk => {
    complaint += chunk
  })
  await new Promise(done => child.once('close', done))
  try {
    return JSON.parse(await readFile(options.at(-1)!, 'utf8')) as Report
  } catch (cause) {
    throw new Error(`The replayer wrote no report\n${complaint}`, { cause })
  }
}

/** Copies some suites into a new folder: the replayer takes whole folders. */
async function copySuites(from: string, target: string, isChosen: (suite: string) => boolean): Promise<void> {
  await mkdir(target)
  for (const name of await readdir(from))
    if (isChosen(name.replace(/\.json$/, ''))) await copyFile(join(from, name), join(target, name))
}

/** Ends the process of server-host.ts: it drops its databases first. */
async function endHost(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null || host.signalCode !== null) return
  const ended = once(host, 'exit')
  host.disconnect()
  await ended
}

/** Starts the process of server-host.ts, and waits until it accepts connections. It ends when it is disconnected. */
async function startHost(env: Readonly<Record<string, string | undefined>>): Promise<ChildProcess> {
  const host = fork(join(import.meta.dirname, 'server-host.ts'), {
    cwd: import.meta.dirname,
    env: { ...env, TZ: 'UTC' },
    // Not those of the test runner.
    execArgv: [],
  })
  const ended = once(host, 'exit').then(([code]) => {
    throw new Error(`server-host.ts ended with ${code}`)
  })
  await Promise.race([once(host, 'message'), ended])
  ended.catch(() => {})
  return host
}
