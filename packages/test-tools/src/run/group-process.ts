// Runs a group of test files in a process, stores what it prints as TAP, and reads failures and costs from it. It must
// not know how failures are shown, nor which groups there are.

import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'tap-parser'
import type { Client } from '../databases.ts'
import type { Group } from './groups.ts'
import type { FileCost, HostOptions, Message } from './messages.ts'

/** A failed check, or a file that could not be run to its end. */
export interface Failure {
  /** The kind of database it ran on; null if the file chooses itself. */
  readonly client: Client | null
  /** Relative to the package. */
  readonly file: string
  /** The names of the tests around it, the outermost first, and its own. */
  readonly path: readonly string[]
  /** `file:line` of the check, if it is known. */
  readonly at: string | null
  /** The expected and the found values, as lines. */
  readonly detail: string
}

/** A test file, the kind of database it ran on (null if it chooses itself), and what it cost. */
export interface MeasuredFile {
  readonly file: string
  readonly client: Client | null
  readonly cost: FileCost
}

export interface GroupResult {
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly files: readonly MeasuredFile[]
}

export interface GroupOptions {
  readonly group: Group
  /** The folder of the package. */
  readonly folder: string
  /** The folder for temporary files of all groups. */
  readonly temporary: string
  /** Milliseconds that each file may take. */
  readonly timeout: number
  /** Modules that stand in for others, by the end of the path of these. */
  readonly standIns: Readonly<Record<string, string>>
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** The path of the TAP file without its ending. */
  readonly output: string
  onFailure(failure: Failure): void
}

const host = join(import.meta.dirname, 'host.ts')

/** Milliseconds for the subtest of a file to end by itself after its time is over, before the process is killed. */
const grace = 120_000

/** Runs the files of a group, and returns when their process has ended. */
export async function runGroup(options: GroupOptions): Promise<GroupResult> {
  const { group, folder, timeout, env, output } = options
  const temporary = mkdtempSync(join(options.temporary, 'g'))
  mkdirSync(join(output, '..'), { recursive: true })
  const tap = createWriteStream(`${output}.tap`)
  const errors = createWriteStream(`${output}.err`)
  const standIns = group.isAlone ? {} : options.standIns
  const hostOptions: HostOptions = { timeout, files: group.files, folder: temporary, standIns }
  const database = group.client === null ? {} : { TEST_DATABASE: group.client }
  const child = spawn(process.execPath, [host], {
    cwd: folder,
    env: {
      ...env,
      ...database,
      TAP_TIMEOUT: '0',
      PLINTH_TEST_GROUP: JSON.stringify(hostOptions),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const result = { passed: 0, failures: [] as Failure[], files: [] as MeasuredFile[] }
  const fail = (failed: Omit<Failure, 'client'>) => {
    // A check beside the subtests of the files names its file as its place.
    const fileOfPlace = [failed.file, failed.at?.replace(/:\d+$/, '')].find(one => group.files.includes(one!))
    const failure = { ...failed, file: fileOfPlace ?? group.files.at(-1)!, client: group.client }
    result.failures.push(failure)
    options.onFailure(failure)
  }
  const parser = new Parser()
  listen(parser, [], fail, () => void result.passed++)
  child.stdout!.pipe(tap, { end: false })
  child.stdout!.pipe(parser)
  let errorOutput = ''
  child.stderr!.pipe(errors)
  child.stderr!.on('data', chunk => {
    errorOutput = `${errorOutput}${chunk}`.slice(-4_000)
  })
  let running: string | null = null
  let watch: NodeJS.Timeout | undefined
  const left = new Set(group.files)
  child.on('message', (message: Message) => {
    // Code that a test runs in the process may send messages of its own.
    if (message.kind !== 'begin' && message.kind !== 'end') return
    clearTimeout(watch)
    if (message.kind === 'begin') {
      running = message.file
      left.delete(message.file)
    } else {
      running = null
      result.files.push({ file: message.file, client: group.client, cost: message.cost })
    }
    // The host ends itself if something is left open; this is for one that no longer runs its timers.
    watch = setTimeout(() => child.kill('SIGKILL'), running === null ? grace : timeout + grace)
  })
  const parsed = new Promise(resolve => parser.once('complete', resolve))
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...ended) => resolve(ended))
  })
  clearTimeout(watch)
  await parsed
  const isExplained = code === 0 || (code === 1 && result.failures.length > 0 && left.size === 0 && running === null)
  if (!isExplained) {
    const file = running ?? group.files.find(one => left.has(one)) ?? group.files.at(-1)!
    const unrun = left.size > 0 ? `; not run: ${[...left].join(', ')}` : ''
    const failure = {
      file,
      path: [file, `the process ended with ${signal ?? code}${unrun}`],
      at: null,
      detail: errorOutput,
    }
    fail(failure)
    tap.write(`\nTAP version 14\nnot ok 1 - ${failure.path.join(': ')}\n1..1\n`)
  }
  await Promise.all([tap, errors].map(stream => new Promise(resolve => stream.end(resolve))))
  rmSync(temporary, { recursive: true, force: true })
  return result
}

/** Reports the checks of a parser and of those below it: points that have no points below them. */
function listen(
  parser: Parser,
  path: readonly string[],
  fail: (failure: Omit<Failure, 'client'>) => void,
  pass: () => void,
): void {
  const closing = new Set<string>()
  parser.on('child', (child: Parser) => {
    listen(child, [...path, child.name], fail, pass)
    let count = 0
    child.on('assert', () => void count++)
    // The point that closes a subtest with points is a summary, but a failed one may have a failure of its own.
    child.once('complete', ({ ok }: { ok: boolean }) => {
      if (count > 0 && (ok || child.fail > 0)) closing.add(child.name)
    })
  })
  parser.on('assert', ({ ok, name, diag, skip, todo }) => {
    if (closing.delete(name)) return
    if (skip || todo) return
    if (ok) return pass()
    const names = [...path, name]
    const at = diag?.at?.fileName ? `${diag.at.fileName}:${diag.at.lineNumber ?? 1}` : null
    const { at: _, source: __, stack: ___, ...details } = diag ?? {}
    const detail = typeof details.diff === 'string' ? details.diff : JSON.stringify(details, null, 1)
    fail({ file: (names[0] ?? '').replace(/ \(\w+\)$/, ''), path: names, at, detail })
  })
}
