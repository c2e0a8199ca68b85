// Runs test files one after the other in this process, each as a subtest with the name of the file, and reports what
// each cost. A file fails if it leaves a folder, a process or a database behind, or takes too much of the processor.
// It must not know which packages there are, nor how results are shown.

import { subscribe } from 'node:diagnostics_channel'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { databaseTime, dropLeftByChildren, dropReusable, reuseDatabases, takeUndropped } from '../databases.ts'
import { setCurrentFile } from './current-file.ts'
import type { FileCost, HostOptions, Message } from './messages.ts'
import { measureSlowness } from './slowness.ts'
import { reportUncaught } from './uncaught-errors.ts'
import { type Child, childrenOf, processorTime, writtenBytes } from './usage.ts'

/** Milliseconds of the processor of a usual machine that one test file may take. */
const maxProcessor = 60_000

reuseDatabases()
// Not as arguments, because tap would use them in the names of folders.
const { timeout, files, folder, standIns } = JSON.parse(process.env.PLINTH_TEST_GROUP!) as HostOptions
delete process.env.PLINTH_TEST_GROUP
process.env.TMPDIR = folder
// Programs that tests start name their databases by it.
process.env.PLINTH_TEST_HOST = String(process.pid)
const environment = { ...process.env }
const report = (message: Message) => process.send?.(message)

const endings = Object.keys(standIns)
/** The modules that test files get in the place of tap, and tap in the place of async-hook-domain. */
const fileRoot = new URL('current-file.ts', import.meta.url).href
const uncaughtErrors = new URL('uncaught-errors.ts', import.meta.url).href
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    if (specifier === 'async-hook-domain')
      return { url: uncaughtErrors, format: 'module-typescript', shortCircuit: true }
    if (
      specifier === 'tap' &&
      ![fileRoot, import.meta.url].includes(parentURL) &&
      !parentURL.includes('/node_modules/')
    )
      return { url: fileRoot, format: 'module-typescript', shortCircuit: true }
    const resolved = next(specifier, context)
    const ending = endings.find(one => resolved.url.endsWith(one))
    return ending === undefined ? resolved : { ...resolved, url: import.meta.resolve(standIns[ending]!) }
  },
})
const { default: tap } = await import('tap')
reportUncaught(tap)

let isDone = false
// The process that started this one has ended, so nobody reads the results.
process.once('disconnect', () => {
  if (!isDone) process.exit(1)
})

let started = 0
subscribe('child_process', () => void started++)

/** Returns the resources that were used until now, by this process and its children. */
const usage = () => ({
  wall: performance.now(),
  databases: databaseTime(),
  processor: processorTime(),
  waiting: performance.eventLoopUtilization().idle,
  written: writtenBytes(),
  processes: started,
})

/** Restores the variables of the environment that a file changed. */
function restoreEnvironment(): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  for (const [name, value] of Object.entries(environment)) if (process.env[name] !== value) process.env[name] = value
}

/** Returns whether there is a file at a path or below it. */
function hasFiles(path: string): boolean {
  return (
    !statSync(path).isDirectory() ||
    readdirSync(path, { recursive: true, withFileTypes: true }).some(one => !one.isDirectory())
  )
}

/** Milliseconds for processes that a file has killed to be gone. */
const dying = 3000

/** The processes that were started after `before` and that still run, although they had time to end. */
async function remainingProcesses(before: ReadonlySet<number>): Promise<Child[]> {
  const end = performance.now() + dying
  for (;;) {
    const remaining = childrenOf(process.pid).filter(({ pid }) => !before.has(pid))
    if (remaining.length === 0 || performance.now() > end) return remaining
    await delay(20)
  }
}

/**
 * Lists what a file left behind, each as a line, and forgets it, so that the next file is not blamed for it. Only a file
 * that has started processes can have left what they made.
 */
async function findLeftovers(before: ReadonlySet<number>, { processes: starts }: FileCost): Promise<string[]> {
  const processes = await remainingProcesses(before)
  const paths = readdirSync(folder).map(name => join(folder, name))
  const withFiles = paths.filter(hasFiles)
  for (const path of paths) rmSync(path, { recursive: true, force: true })
  return [
    ...withFiles.map(path => `the temporary file or folder ${path}`),
    ...processes.map(({ pid, command }) => `the process ${pid}: ${command}`),
    ...[...takeUndropped(), ...(starts === 0 ? [] : await dropLeftByChildren())].map(name => `the database ${name}`),
  ]
}

async function runFile(t: Test, file: string): Promise<number> {
  setCurrentFile(t)
  // Code that a test starts in this process finds its packages from the program that was started: the file.
  process.argv[1] = resolve(file)
  await import(pathToFileURL(resolve(file)).href)
  return performance.now()
}

for (const file of files) {
  report({ kind: 'begin', file })
  const before = usage()
  const children = new Set(childrenOf(process.pid).map(({ pid }) => pid))
  let loaded: number | undefined
  const name = process.env.TEST_DATABASE === undefined ? file : `${file} (${process.env.TEST_DATABASE})`
  await tap.test(name, { timeout }, async t => {
    t.once('subtestStart', () => {
      loaded ??= performance.now()
    })
    const evaluated = await runFile(t, file)
    loaded ??= evaluated
  })
  restoreEnvironment()
  const after = usage()
  const cost: FileCost = {
    wall: after.wall - before.wall,
    loading: Math.max(0, (loaded ?? before.wall) - before.wall),
    databases: after.databases - before.databases,
    processor: after.processor - before.processor,
    waiting: after.waiting - before.waiting,
    written: after.written - before.written,
    processes: after.processes - before.processes,
  }
  const leftovers = await findLeftovers(children, cost)
  if (leftovers.length > 0) tap.fail(`${name} leaves nothing behind`, { found: leftovers, at: { fileName: file } })
  if (cost.processor > maxProcessor) {
    const slowness = measureSlowness()
    if (cost.processor > maxProcessor * slowness)
      tap.fail(`${name} takes at most ${maxProcessor} ms of the processor`, {
        found: Math.round(cost.processor),
        slowness,
      })
  }
  report({ kind: 'end', file, cost })
}
isDone = true
await dropReusable()
process.disconnect?.()

/** Milliseconds for connections and the like to close after the last file. */
const closing = 15_000

// Runs only if something keeps the process from ending.
setTimeout(() => {
  tap.fail('the files leave nothing open', { found: process.getActiveResourcesInfo(), at: { fileName: files.at(-1) } })
  process.exit(1)
}, closing).unref()
