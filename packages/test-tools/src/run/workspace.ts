// `pnpm test [packages or files] [--databases …] [--changed]` and `pnpm coverage`: runs types, lint and tests of all
// packages, or of those that are named, by turbo; prints what happens while it runs, and at the end each failure with the
// command that runs that file alone.

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Client, databases, leftDatabases } from '../databases.ts'
import { needsRedis } from '../redis.ts'
import { ownServer } from '../servers.ts'
import { type Command, readCommandLine } from './command-line.ts'
import { startOwnServers } from './own-servers.ts'
import { packageFolders, readReport, root } from './reports.ts'
import { Slots } from './slots.ts'
import { TurboOutput } from './turbo-output.ts'

/**
 * Minutes that all tests take on a quick and on a slow machine with two cores, nothing beside them, and nothing in the
 * cache.
 */
const minutes = (names: readonly Client[]) => (names.length === 1 ? '10 to 25' : '16 to 60')

/** Tests wait for timers, databases and processes for two thirds of their time. */
const slotsPerCore = 3

/** Runs a program to its end and returns its exit code; `read` receives what it prints. */
function run(program: string, words: readonly string[], cwd: string, read?: (text: string) => void): Promise<number> {
  const child = spawn(program, words, {
    cwd,
    stdio: ['inherit', read === undefined ? 'inherit' : 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })
  child.stdout?.setEncoding('utf8').on('data', read ?? (() => {}))
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('close', code => done(code ?? 1))
  })
}

/** Runs a script of the root, and prints its output if it fails. */
async function checkAll(script: string): Promise<number> {
  const began = performance.now()
  let printed = ''
  const code = await run(join(root, 'node_modules/.bin/pnpm'), ['run', '--silent', script], root, text => {
    printed += text
  })
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(code === 0 ? `${script}: passed, ${seconds} s` : `${script}: failed\n${printed}`)
  return code
}

/** Chooses the databases, and prints which they are and how long all tests take on them. */
async function chooseDatabases(isWhole: boolean): Promise<void> {
  if (isWhole) await useOwnServers()
  const names = await databases()
  const { skip } = await needsRedis()
  const left = [...(await leftDatabases()), ...(skip === false ? [] : [skip])]
  console.log(`Tests run on ${names.join(', ')}${left.length > 0 ? `; not on ${left.join('; ')}` : ''}.`)
  if (isWhole)
    console.log(`All of them take about ${minutes(names)} minutes on two cores, less if turbo remembers some.`)
  // Cached results of runs on other databases do not apply.
  process.env.DATABASES = names.join()
}

/** Starts servers for this run instead of those that the tests would use, unless these are named. */
async function useOwnServers(): Promise<void> {
  const required = process.env.DATABASES?.split(',')
  const clientsOfRun = required ?? (await databases())
  const urls = { mysql: process.env.PLINTH_MYSQL, postgres: process.env.PLINTH_POSTGRES }
  const clients = (['mysql', 'postgres'] as const).filter(one => clientsOfRun.includes(one) && urls[one] === undefined)
  for (const [client, url] of await startOwnServers(clients)) process.env[ownServer[client]] = url
}

/** Runs the tasks of packages by turbo, and types and lint of all packages beside it if all are tested. */
async function runPackages({ packages, isChangedOnly, isMeasured }: Command): Promise<number> {
  const isAll = packages.length === 0 && !isChangedOnly
  const filters = isChangedOnly ? ['...[HEAD]'] : packages.map(folder => `./${folder}`)
  // Of all packages, types and style are checked in one process each, which takes a fifth of the time.
  const tasks = isAll || isMeasured ? ['test'] : ['types', 'lint', 'test']
  const words = ['run', ...tasks, '--continue', '--output-logs=full', '--log-order=stream']
  const slots = await Slots.open(slotsPerCore * availableParallelism())
  const began = performance.now()
  const progress = setInterval(() => {
    const { ended, requested } = slots.progress
    const passed = Math.round((performance.now() - began) / 60_000)
    console.log(`… ${passed} min: ${ended} of ${requested} processes have ended`)
  }, 60_000)
  const output = new TurboOutput(line => console.log(line))
  const turbo = run(
    join(root, 'node_modules/.bin/turbo'),
    [...words, ...filters.map(one => `--filter=${one}`)],
    root,
    text => output.read(text),
  )
  const codes = await Promise.all([turbo, ...(isAll ? ['types', 'lint'].map(checkAll) : [])])
  clearInterval(progress)
  output.end()
  return codes.find(code => code !== 0) ?? 0
}

/** Prints each failure since a time, and the command that runs its file. */
function printFailures(began: number): void {
  const lines = packageFolders().flatMap(folder => {
    const failures = readReport(join(root, folder), began)?.failures ?? []
    return failures.map(({ file, path, client }) => {
      const on = client === null ? '' : ` --databases ${client}`
      return `${folder}/${path.join(' › ')}\n  npx pnpm@10 test ${folder}/${file}${on}`
    })
  })
  if (lines.length > 0) console.log(['', `${lines.length} failed:`, ...lines].join('\n'))
}

async function runWorkspace(args: readonly string[]): Promise<number> {
  const began = Date.now()
  const command = readCommandLine(args)
  const { packages, files, isChangedOnly, isMeasured } = command
  if (command.databases !== undefined) process.env.DATABASES = command.databases
  if (isMeasured) process.env.PLINTH_MEASURE = 'true'
  const isWhole = packages.length === 0 && files.size === 0 && !isChangedOnly
  await chooseDatabases(isWhole)
  let code = 0
  if (files.size === 0 || packages.length > 0) code = await runPackages(command)
  for (const [folder, paths] of files)
    code =
      (await run(process.execPath, [join(import.meta.dirname, 'package.ts'), ...paths], join(root, folder))) || code
  printFailures(began)
  const table = join(import.meta.dirname, '../coverage/report.ts')
  if (isMeasured) code = (await run(process.execPath, ['--disable-warning=ExperimentalWarning', table], root)) || code
  return code
}

// So that servers of the run end with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
try {
  process.exitCode = await runWorkspace(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
