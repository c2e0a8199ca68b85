// The command in a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Answer {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs `plinth` with these words, in the folder `cwd`. */
export async function plinth(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<Answer> {
  const bin = join(import.meta.dirname, '../src/bin.ts')
  const variables = { ...process.env, NODE_OPTIONS: process.env.PLINTH_PRELOAD ?? '', NO_COLOR: '1', ...env }
  const child = spawn(process.execPath, [bin, ...args], { env: variables, cwd })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.on('data', chunk => out.push(String(chunk)))
  child.stderr.on('data', chunk => err.push(String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, out: out.join(''), err: err.join('') }
}
