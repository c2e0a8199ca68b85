// Runs a program of Node, such as the command `plinth`: in a process of its own, to its end or while a test waits for what
// it prints, or as a function in this process.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { format } from 'node:util'
import type { Test } from 'tap'

type Variables = Readonly<Record<string, string>>

/** The environment of the process: that of the tests, these variables, and the recording of coverage. */
function environment(env: Variables) {
  return { ...process.env, NODE_OPTIONS: process.env.PLINTH_PRELOAD ?? '', NO_COLOR: '1', ...env }
}

/** The result of a program that has ended. */
export interface ProgramResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a file with the words that follow it, in the folder `cwd`, and waits for its end. */
export async function runProgram(words: readonly string[], env: Variables = {}, cwd?: string): Promise<ProgramResult> {
  const child = spawn(process.execPath, words, { env: environment(env), cwd })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.on('data', chunk => out.push(String(chunk)))
  child.stderr.on('data', chunk => err.push(String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, out: out.join(''), err: err.join('') }
}

/** The command that runs in this process: the next one waits for its end, because they share variables and the console. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command that is a function in this process, in the folder `cwd`, with these words and variables: its modules are
 * loaded once for all commands, which is most of what a process of its own takes. Modules of an application are as the first
 * command found them. A command that ends the process, or whose children inherit its streams, needs a process of its own.
 */
export function runHere(
  command: (words: readonly string[]) => Promise<number>,
  words: readonly string[],
  env: Variables = {},
  cwd?: string,
): Promise<ProgramResult> {
  const result = last.then(() => capture(() => command(words), env, cwd))
  last = result.catch(() => {})
  return result
}

/** Runs `command` with these variables in the folder `cwd`, and restores both. Returns what it printed. */
async function capture(command: () => Promise<number>, env: Variables, cwd?: string): Promise<ProgramResult> {
  const [out, err]: [string[], string[]] = [[], []]
  const printTo =
    (lines: string[]) =>
    (...values: readonly unknown[]) =>
      void lines.push(`${format(...values)}\n`)
  const { log, info, error, warn } = console
  const variables = { ...process.env }
  const folder = process.cwd()
  Object.assign(console, { log: printTo(out), info: printTo(out), error: printTo(err), warn: printTo(err) })
  Object.assign(process.env, { NO_COLOR: '1', ...env })
  if (cwd !== undefined) process.chdir(cwd)
  try {
    const code = await command()
    return { code, out: out.join(''), err: err.join('') }
  } finally {
    process.chdir(folder)
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
    Object.assign(process.env, variables)
    Object.assign(console, { log, info, error, warn })
  }
}

/** A program that runs until it is stopped. */
export class RunningProgram {
  readonly process: ChildProcess
  #text = ''
  /** The way in which it ended: its exit code, or the signal. */
  readonly ended: Promise<number | string>

  /** Starts a file with the words that follow it. It is killed after the test, if it still runs. */
  constructor(t: Test, words: readonly string[], env: Variables) {
    this.process = spawn(process.execPath, words, {
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on('data', chunk => {
        this.#text += chunk
      })
    this.ended = once(this.process, 'close').then(([code, signal]) => code ?? signal)
    t.teardown(async () => {
      this.process.kill('SIGKILL')
      await this.ended
    })
  }

  /** All that it has printed. */
  get text(): string {
    return this.#text
  }

  /**
   * Waits until it has printed this, in what follows the text that was printed before `from`. Returns the first group of
   * the pattern.
   */
  async printed(pattern: RegExp, from = 0): Promise<string> {
    const find = () => pattern.exec(this.#text.slice(from))
    await until(
      () => find() !== null,
      () => `${pattern} in:\n${this.#text}`,
    )
    return find()![1] ?? ''
  }
}

/** Waits until something holds; throws an error with `what` after a minute. */
export async function until(holds: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const last = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > last) throw new Error(`Waited in vain for ${what()}`)
    await delay(25)
  }
}
