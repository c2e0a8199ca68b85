#!/usr/bin/env node
// `run-tests [files or folders]`: runs the tests of the package in the current folder, prints failures at once, and one
// line at the end. It must not know other packages.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { databases } from '../databases.ts'
import { isMeasured, measuredEnvironment } from '../coverage/environment.ts'
import { type Failure, type GroupResult, runGroup } from './group-process.ts'
import { type Group, groupRuns } from './groups.ts'
import { writeReport } from './reports.ts'
import { readTests } from './settings.ts'

const folder = process.cwd()
const results = join(folder, '.tap/test-results')

/** The space that the temporary files of tests need at most, in bytes. */
const neededSpace = 2 ** 30

/** A folder for temporary files: in memory if there is room, because databases of tests need not survive anything. */
function temporaryFolder(onDisk: boolean): string {
  const isRoomy = (path: string) => {
    try {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize >= neededSpace
    } catch {
      return false
    }
  }
  const base = !onDisk && process.platform === 'linux' && isRoomy('/dev/shm') ? '/dev/shm' : tmpdir()
  return mkdtempSync(join(base, 'plinth-'))
}

const name = (JSON.parse(readFileSync('package.json', 'utf8')) as { name: string }).name

function printFailure({ file, path, at, detail }: Failure): void {
  const indented = detail
    .trim()
    .split('\n')
    .slice(0, 60)
    .map(line => `    ${line}`)
  console.log([`FAILED ${at ?? file}`, `  ${path.join(' › ')}`, ...indented].join('\n'))
}

/** Runs all groups, at most `jobs` at a time. */
async function runGroups(groups: readonly Group[], jobs: number, run: (group: Group, number: number) => Promise<void>) {
  const waiting = groups.map((group, number) => ({ group, number }))
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next.group, next.number)
  }
  await Promise.all(Array.from({ length: jobs }, work))
}

async function runPackage(wanted: readonly string[]): Promise<boolean> {
  const began = performance.now()
  const clients = await databases()
  const { runs, setup, onDisk, timeout } = readTests(folder, wanted, clients)
  const groups = groupRuns(runs, () => null)
  const jobs = Number(process.env.PLINTH_TEST_JOBS) || availableParallelism()
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const temporary = temporaryFolder(onDisk)
  // A run of single files is not measured: its result would say nothing about the package.
  const env = isMeasured() && wanted.length === 0 ? measuredEnvironment(folder, clients) : process.env
  const all: GroupResult[] = []
  const preparation = setup === null ? null : await import(join(folder, setup))
  try {
    await preparation?.prepare()
    await runGroups(groups, jobs, async (group, number) => {
      const first = group.files[0]!.replaceAll('/', '-').replace(/\.test\.ts$/, '')
      const output = join(results, `${number}-${group.client ?? 'own'}-${first}`)
      all.push(await runGroup({ group, folder, temporary, timeout, env, output, onFailure: one => printFailure(one) }))
    })
  } finally {
    await preparation?.remove()
    rmSync(temporary, { recursive: true, force: true })
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  const passed = all.reduce((sum, one) => sum + one.passed, 0)
  const failures = all.flatMap(one => one.failures)
  const files = all.flatMap(one => one.files)
  const processes = groups.length
  writeReport(folder, { name, seconds, passed, failures, files, processes, databases: clients })
  const count = `${runs.length} files in ${groups.length} processes`
  console.log(`${name}: ${passed} passed, ${failures.length} failed, ${seconds} s (${count})`)
  return failures.length === 0 && passed > 0
}

if (!(await runPackage(process.argv.slice(2)))) process.exitCode = 1
