// Runs processes that kill themselves at some step, for tests of what a start then finds.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a file with these arguments until it is killed. Rejects if it ends otherwise. */
export async function runUntilKilled(file: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let complaint = ''
  child.stderr.on('data', chunk => {
    complaint += chunk
  })
  const [, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL') throw new Error(`The process ended by itself: ${complaint}`)
}
