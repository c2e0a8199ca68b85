// A server in its own process: starts it on its copy of the data, measures its CPU time, stops it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Side, Target } from './store/store.ts'
import type { Plugins } from './variants.ts'

const PLINTH = new URL('./plinth.ts', import.meta.url).pathname
const LIMIT = new URL('./limit/server.ts', import.meta.url).pathname
const GRAPHQL_LIMIT = new URL('./limit/graphql.ts', import.meta.url).pathname

/** The unit of CPU time on Linux: `getconf CLK_TCK` is 100 everywhere. */
const TICK_MICROSECONDS = 10_000

export interface Server {
  readonly address: string
  readonly pid: number
  stop(): Promise<void>
}

/** How a server is started. */
interface Start {
  readonly nodeOptions?: readonly string[]
  /** The path of a program that takes the same arguments as `plinth.ts`. */
  readonly program?: string | undefined
}

export async function startServer(
  side: Side,
  target: Target,
  plugins: Plugins,
  { nodeOptions = [], program = programOf(side, plugins) }: Start = {},
): Promise<Server> {
  const child = spawn(process.execPath, [...nodeOptions, program, JSON.stringify(target), JSON.stringify(plugins)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const address = await listening(child, side)
  return {
    address,
    pid: child.pid!,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function programOf(side: Side, plugins: Plugins): string {
  if (side !== 'limit') return PLINTH
  return plugins === 'graphql' ? GRAPHQL_LIMIT : LIMIT
}

async function listening(child: ChildProcess, side: Side): Promise<string> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${side} ended with ${code} instead of listening`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return message.address
}

/** The resident memory of a process, in MiB. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kibibytes) / 1024
}

/** The user and system time of a process so far. */
export function cpuMicroseconds(pid: number): number {
  // The name of the program is in parentheses and may contain spaces, so fields are counted after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS
}
