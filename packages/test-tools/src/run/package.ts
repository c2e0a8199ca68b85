#!/usr/bin/env node
// `run-tests [files or folders]`: runs the tests of the package in the current folder, prints failures at once, and one
// line at the end. It must not know other packages.

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, sep } from 'node:path'
import { isMeasured, measuredEnvironment } from '../coverage/environment.ts'
import { databases } from '../databases.ts'
import { type Failure, type GroupResult, runGroup } from './group-process.ts'
import { type Group, groupRuns } from './groups.ts'
import { root, writeReport } from './reports.ts'
import { readTests } from './settings.ts'
import { hasSlots, Slots, takeSlot } from './slots.ts'
import { makeTemporaryFolder } from './temporary.ts'

const folder = process.cwd()
// Hundreds of test files, and the programs that they start, load the same modules.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/tests')
const results = join(folder, '.tap/test-results')

/** Maximum number of lines of a failure that are printed. */
const maxLines = 60

/**
 * Milliseconds that a file may take. Only one that hangs needs them: a bound that a slow machine reaches would say nothing
 * about the code.
 */
const fileTimeout = 1_200_000

/** The path of a file of the package, from the root of the workspace. */
const fromRoot = (path: string) => relative(root, join(folder, path)).replaceAll(sep, '/')

function printFailure({ file, path, at, detail }: Failure): void {
  const lines = detail.trim().split('\n').slice(0, maxLines)
  console.log(
    [`FAILED ${fromRoot(at ?? file)}`, `  ${path.join(' › ')}`, ...lines.map(line => `    ${line}`)].join('\n'),
  )
}

/**
 * Runs all groups, as many at a time as there are slots, or cores if this package is tested alone. Returns their results
 * in any order.
 */
async function runGroups(
  groups: readonly Group[],
  run: (group: Group, number: number) => Promise<GroupResult>,
): Promise<GroupResult[]> {
  if (!hasSlots()) await Slots.open(availableParallelism())
  const runInSlot = async (group: Group, number: number) => {
    // Long files first, then one package after the other, those with many files first.
    const free = await takeSlot((group.isLong ? 1000 : 0) + groups.length)
    return run(group, number).finally(free)
  }
  return Promise.all(groups.map(runInSlot))
}

async function runPackage(testPaths: readonly string[]): Promise<boolean> {
  const clients = await databases()
  const { runs, setup, standIns } = readTests(folder, testPaths, clients)
  const groups = groupRuns(runs)
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const temporary = makeTemporaryFolder()
  process.env.TMPDIR = temporary
  const preparation = setup === null ? null : await import(join(folder, setup))
  let all: GroupResult[] = []
  let began = performance.now()
  let isFirst = true
  try {
    await preparation?.prepare()
    // A run of single files is not measured: its result would say nothing about the package.
    const env = isMeasured() && testPaths.length === 0 ? measuredEnvironment(folder, clients) : process.env
    all = await runGroups(groups, (group, number) => {
      // Waiting for the first slot is not a duration of this package.
      if (isFirst) began = performance.now()
      isFirst = false
      const first = group.files[0]!.replaceAll('/', '-').replace(/\.test\.ts$/, '')
      const output = join(results, `${number}-${group.client ?? 'own'}-${first}`)
      return runGroup({
        group,
        folder,
        temporary,
        timeout: fileTimeout,
        standIns,
        env,
        output,
        onFailure: printFailure,
      })
    })
  } finally {
    await preparation?.remove?.()
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  const passed = all.reduce((sum, one) => sum + one.passed, 0)
  const failures = all.flatMap(one => one.failures)
  const files = all.flatMap(one => one.files)
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string }
  writeReport(folder, { name, seconds, passed, failures, files, processes: groups.length, databases: clients })
  const count = `${runs.length} files in ${groups.length} processes`
  console.log(`${name}: ${passed} passed, ${failures.length} failed, ${seconds} s (${count})`)
  return failures.length === 0 && passed > 0
}

// So that the folder for temporary files is removed; the processes of groups end with their channel to this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
if (!(await runPackage(process.argv.slice(2)))) process.exitCode = 1
