// Installs the packages of an application by npm.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Refusal } from './refusal.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a program in a folder, and prints what it prints. Resolves to its exit code. A signal that ends this process ends the
 * program first. Throws Refusal if there is no such program, and after a signal.
 */
export async function runIn(dir: string, program: string, args: readonly string[]): Promise<number> {
  // On Windows npm is a script, which only a shell runs; the words are constant.
  const child = spawn(program, args, { cwd: dir, stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows })
  let received: NodeJS.Signals | null = null
  const pass = (signal: NodeJS.Signals) => {
    // A second signal ends this process at once.
    ignoreSignals()
    received = signal
    child.kill(signal)
  }
  const ignoreSignals = () => {
    for (const signal of signals) process.off(signal, pass)
  }
  for (const signal of signals) process.on(signal, pass)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (received !== null) throw new Refusal(`interrupted by ${received as string} while ${program} ran in ${dir}`)
    return code ?? 1
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${program} cannot be run: ${(error as Error).message}`)
  } finally {
    ignoreSignals()
  }
}

const isWindows = process.platform === 'win32'

/** Throws Refusal if npm fails; the application stays. */
export async function install(dir: string, folder: string): Promise<void> {
  const code = await runIn(dir, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--no-progress'])
  if (code !== 0)
    throw new Refusal(
      `npm install failed with exit code ${code}. The files are in ${folder}: run npm install there again`,
    )
}
