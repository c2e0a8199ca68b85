// Reads what processes use from the operating system. On systems without /proc, what only it tells is 0 or empty.

import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the time of processes in hundredths of a second, on every architecture that Node runs on. */
const tick = 10

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null // There is no /proc, or the process has just ended.
  }
}

/** The fields of /proc/<pid>/stat behind the name, which may contain spaces. */
const statOf = (pid: number | 'self'): readonly string[] | null => {
  const text = read(`/proc/${pid}/stat`)
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Milliseconds of the processor that this process took, and its children that have ended, with theirs. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  const stat = statOf('self')
  const children = stat === null ? 0 : (Number(stat[13]) + Number(stat[14])) * tick
  return (user + system) / 1000 + children
}

/** Bytes that this process has had written to a disk. */
export function writtenBytes(): number {
  return process.resourceUsage().fsWrite * 512
}

export interface Child {
  readonly pid: number
  /** The command with its arguments. */
  readonly command: string
}

/** The processes that a process started and that still run. */
export function childrenOf(parent: number): Child[] {
  return pids().flatMap(pid => {
    const stat = statOf(pid)
    // A zombie has ended, and has not been waited for.
    if (stat === null || Number(stat[1]) !== parent || stat[0] === 'Z') return []
    return [{ pid, command: (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim() }]
  })
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}
