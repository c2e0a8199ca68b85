// Runs a program of Node, such as the command `plinth`, in a process of its own: to its end, or while a test waits for
// what it prints.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
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
