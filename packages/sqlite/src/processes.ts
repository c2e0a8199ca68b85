// The reader processes of one file: started when a read needs one, ended after a while without reads. Reads wait for a
// process in a queue that is limited in number and in time.

import { availableParallelism } from 'node:os'
import { UnavailableError } from '@plinth/kernel/database'
import { overdue, ReaderProcess } from './process.ts'
import type { ReaderSettings } from './reader-settings.ts'

const maxProcesses = 2
/** True if a process can work at the same time as the server. */
const isParallel = availableParallelism() > 1
/** The maximum number of reads that wait for a process. */
const maxWaiting = 64
/** Milliseconds between two checks whether the client still waits. */
const lookInterval = 250
/** Milliseconds that an idle process is kept for the next read. */
const idleTime = 30_000
/** Milliseconds that a process has to end a statement by itself before it is killed. */
const grace = 500

interface WaitingCaller {
  readonly isAbandoned: (() => boolean) | undefined
  readonly resolve: (process: ReaderProcess) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** Hands out reader processes. */
export class ReaderProcesses {
  readonly #settings: ReaderSettings
  readonly #all = new Set<ReaderProcess>()
  readonly #idle = new Map<ReaderProcess, NodeJS.Timeout>()
  readonly #waiting = new Set<WaitingCaller>()
  #isClosed = false
  /** A process is being started for later reads. */
  #isStarting = false

  constructor(settings: ReaderSettings) {
    this.#settings = settings
  }

  /**
   * Returns whether a process is idle and can have a processor for itself. If none is idle, one is started for later
   * reads.
   */
  isAtHand(): boolean {
    if (!isParallel || this.#isClosed) return false
    if (this.#idle.size === 0 && this.#all.size < maxProcesses && !this.#isStarting) void this.#prepare()
    return this.#idle.size > 0
  }

  async #prepare(): Promise<void> {
    this.#isStarting = true
    try {
      await this.use(process => process.all('SELECT 1', []))
    } catch {
      // A read that needs a process gets its own error.
    } finally {
      this.#isStarting = false
    }
  }

  /** Returns whether a read would begin at once. */
  get isFree(): boolean {
    return !this.#isClosed && (this.#idle.size > 0 || this.#all.size < maxProcesses)
  }

  /**
   * Runs a read in a process. Throws UnavailableError if no process becomes free in time or the read takes too long.
   */
  async use<T>(work: (process: ReaderProcess) => Promise<T>, isAbandoned?: () => boolean): Promise<T> {
    const process = await this.#acquire(isAbandoned)
    const { statementTimeout } = this.#settings
    const began = performance.now()
    const timer = setInterval(() => {
      if (isAbandoned?.() === true) process.kill(new UnavailableError('The client no longer waits for the answer'))
      else if (performance.now() - began > statementTimeout + grace) process.kill(overdue())
    }, lookInterval)
    process.begin(statementTimeout)
    try {
      return await work(process)
    } finally {
      clearInterval(timer)
      process.end()
      this.#release(process)
    }
  }

  async #acquire(isAbandoned?: () => boolean): Promise<ReaderProcess> {
    if (this.#isClosed) throw new UnavailableError('The database is closed')
    for (const [process, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(process)
      if (process.isAlive) return process
    }
    if (this.#all.size < maxProcesses) return this.#start()
    if (this.#waiting.size >= maxWaiting) throw new UnavailableError('Too many long queries run at the same time')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(new UnavailableError('Too many long queries run at the same time'))
      }, this.#settings.acquireTimeout)
      const waiting: WaitingCaller = { isAbandoned, resolve, reject, timer }
      this.#waiting.add(waiting)
    })
  }

  /** Throws UnavailableError. */
  #start(): ReaderProcess {
    const process = new ReaderProcess(this.#settings.filename)
    this.#all.add(process)
    process.ended.then(() => {
      this.#all.delete(process)
      const timer = this.#idle.get(process)
      if (timer !== undefined) clearTimeout(timer)
      this.#idle.delete(process)
      this.#startForNext()
    })
    return process
  }

  /** Starts a process for the first read that waits; if that fails, rejects that read and tries the next one. */
  #startForNext(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      try {
        next.resolve(this.#start())
        return
      } catch (error) {
        next.reject(error)
      }
    }
  }

  #next(): WaitingCaller | undefined {
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting)
      clearTimeout(waiting.timer)
      if (waiting.isAbandoned?.() !== true) return waiting
      waiting.reject(new UnavailableError('The client no longer waits for the answer'))
    }
    return undefined
  }

  #release(process: ReaderProcess): void {
    // When a killed process has ended, its place is free for the next one.
    if (!process.isAlive || this.#isClosed) return
    const next = this.#next()
    if (next !== undefined) next.resolve(process)
    else this.#idle.set(process, setTimeout(() => process.kill(null), idleTime).unref())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const error = new UnavailableError('The database is closed')
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.reject(error)
    const ends = [...this.#all].map(process => process.ended)
    for (const process of this.#all) process.kill(error)
    await Promise.all(ends)
  }
}
