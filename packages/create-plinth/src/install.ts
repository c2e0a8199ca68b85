// Installs the packages of an application by npm.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Refusal } from './refusal.ts'

/** Runs a program in a folder, and prints what it prints. Resolves to its exit code. */
export async function runIn(dir: string, program: string, args: readonly string[]): Promise<number> {
  // On Windows npm is a script, which only a shell runs; the words are constant.
  const child = spawn(program, args, { cwd: dir, stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

const isWindows = process.platform === 'win32'

/** Throws Refusal if npm fails; the application stays. */
export async function install(dir: string, named: string): Promise<void> {
  const code = await runIn(dir, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--no-progress'])
  if (code !== 0)
    throw new Refusal(
      `npm install failed with exit code ${code}. The files are in ${named}: run npm install there again`,
    )
}
