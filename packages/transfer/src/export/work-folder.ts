// The folder in which an export is made, `<archive>.part`: the archive as far as it is written, the list of the stored files,
// and the state from which an interrupted export continues. Only its owner can read it.

import { readFileSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { TransferError } from '../transfer-error.ts'
import { type ExportState, parseState } from './state.ts'

/** The ending of the name of a work folder, behind the name of the archive. */
export const workFolderEnding = '.part'

const stateName = 'state.json'
const newName = 'state.new.json'

/** A work folder that no other process uses. */
export class WorkFolder {
  /** The path of the archive when it is complete. */
  readonly target: string
  readonly path: string
  #state: ExportState | null = null

  private constructor(target: string) {
    this.target = target
    this.path = `${target}${workFolderEnding}`
  }

  /** Takes the folder of an archive, and creates it if it is not there. Throws TransferError if another process has it. */
  static async open(target: string): Promise<WorkFolder> {
    const folder = new WorkFolder(target)
    await mkdir(folder.path, { mode: 0o700 }).catch(async error => {
      if (isCode(error, 'ENOENT')) throw new TransferError(`The folder ${dirname(target)} does not exist`)
      if (!isCode(error, 'EEXIST')) throw new TransferError(`${target} cannot be written: ${(error as Error).message}`)
      if (!(await stat(folder.path)).isDirectory())
        throw new TransferError(`${folder.path} is in the way of the export`)
    })
    await folder.#lock()
    return folder
  }

  /** The archive as far as it is written. */
  get archive(): string {
    return join(this.path, 'archive')
  }

  /** The list of the stored files. */
  get list(): string {
    return join(this.path, 'files.jsonl')
  }

  /** The copy of a stored file, whose size must be known before it comes into the archive. */
  get copy(): string {
    return join(this.path, 'file')
  }

  get #lockPath(): string {
    return join(this.path, 'lock.json')
  }

  async #lock(): Promise<void> {
    const own: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) }
    const holder = await this.#holder()
    if (holder !== null && isRunning(holder, own))
      throw new TransferError(
        `The process ${holder.pid} writes this archive; if it is not an export, remove ${this.#lockPath} and begin again`,
      )
    await rm(this.#lockPath, { force: true })
    await writeFile(this.#lockPath, JSON.stringify(own), { flag: 'wx', mode: 0o600 })
  }

  async #holder(): Promise<Holder | null> {
    try {
      return JSON.parse(await readFile(this.#lockPath, 'utf8')) as Holder
    } catch {
      // There is none, or its process was killed while it wrote this.
      return null
    }
  }

  /** The state that was saved last; null if there is none. */
  get state(): ExportState | null {
    return this.#state
  }

  /** Reads the state that an interrupted export has left; null if there is none. */
  async read(): Promise<ExportState | null> {
    const path = join(this.path, stateName)
    try {
      this.#state = parseState(await readFile(path, 'utf8'), path)
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      // A process was killed while it removed the folder.
      await this.clear()
    }
    return this.#state
  }

  /** Replaces the state; what it tells of must be on the disk. */
  async save(state: ExportState): Promise<void> {
    const path = join(this.path, newName)
    await writeFile(path, JSON.stringify(state), { mode: 0o600, flush: true })
    await rename(path, join(this.path, stateName))
    await syncFolder(this.path)
    this.#state = state
  }

  /** Gives the complete archive its name. */
  async publish(): Promise<void> {
    await rename(this.archive, this.target)
    await syncFolder(dirname(this.target))
  }

  /** Removes what an export has made, and nothing else. The state goes first: it tells of the others. */
  async clear(): Promise<void> {
    this.#state = null
    for (const name of [stateName, newName]) await rm(join(this.path, name), { force: true })
    for (const path of [this.archive, this.list, this.copy]) await rm(path, { force: true })
  }

  /** Leaves the folder to other processes, and removes it if it is empty. */
  async release(): Promise<void> {
    await rm(this.#lockPath, { force: true })
    await rmdir(this.path).catch(error => {
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    })
  }
}

/** The process that uses a folder. */
interface Holder {
  readonly pid: number
  readonly host: string
  /** When it started, in a form that only this system knows; null where the system does not say so. */
  readonly started?: string | null
}

/** Returns whether another process of this machine is running, which cannot be said of other machines. */
function isRunning({ pid, host, started = null }: Holder, own: Holder): boolean {
  if (host !== own.host || pid === own.pid) return false
  // Another process may have got the number of one that was killed.
  const now = startOf(pid)
  if (started !== null && now !== null && started !== now) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

/** When a process started, as Linux counts: the boot of the system, and the ticks since then. Null elsewhere. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // Behind the name of the program, which may contain anything.
    const [, fields] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
    return `${boot} ${fields!.split(' ')[19]}`
  } catch {
    return null
  }
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as { readonly code?: string }).code ?? '')
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
