// The reader processes of one file: made when the first question needs one, ended when none did for a while. Questions wait
// for them in a queue that is bounded in number and in time.

import { availableParallelism } from 'node:os'
import { UnavailableError } from '../../errors.ts'
import { overdue, ReaderProcess } from './process.ts'
import type { ReaderSettings } from './reader.ts'

const maxProcesses = 2
/** Can a process work while the server does? */
const isParallel = availableParallelism() > 1
/** Most questions that wait for a process. */
const maxWaiting = 64
/** Milliseconds between two looks at whether anybody still waits for the answer. */
const lookInterval = 250
/** Milliseconds that a process is kept for the next question. */
const idleTime = 30_000
/** Milliseconds that a process has to end a statement by itself before it is killed. */
const grace = 500

interface Waiting {
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
  readonly #waiting = new Set<Waiting>()
  #isClosed = false
  /** A process is started that nobody waits for. */
  #isStarting = false

  constructor(settings: ReaderSettings) {
    this.#settings = settings
  }

  /** Is a process idle, and may it have a processor for itself? Where none is, one is started for the questions to come. */
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
      // Whoever needs one is told.
    } finally {
      this.#isStarting = false
    }
  }

  /** Would a question begin at once? */
  get isFree(): boolean {
    return !this.#isClosed && (this.#idle.size > 0 || this.#all.size < maxProcesses)
  }

  /** Runs a question in a process. Throws UnavailableError where none is free in time or the question takes too long. */
  async use<T>(work: (process: ReaderProcess) => Promise<T>, isAbandoned?: () => boolean): Promise<T> {
    const process = await this.#acquire(isAbandoned)
    const { statementTimeout } = this.#settings
    const began = performance.now()
    const timer = setInterval(() => {
      if (isAbandoned?.() === true) process.kill(new UnavailableError('Nobody waits for the answer'))
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
    if (this.#waiting.size >= maxWaiting) throw new UnavailableError('Too many long questions are asked at once')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(new UnavailableError('Too many long questions are asked at once'))
      }, this.#settings.acquireTimeout)
      const waiting: Waiting = { isAbandoned, resolve, reject, timer }
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

  /** Starts a process for the first one that waits; where there is none to be had, for the one behind it. */
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

  #next(): Waiting | undefined {
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting)
      clearTimeout(waiting.timer)
      if (waiting.isAbandoned?.() !== true) return waiting
      waiting.reject(new UnavailableError('Nobody waits for the answer'))
    }
    return undefined
  }

  #release(process: ReaderProcess): void {
    // The end of a killed one makes room for the next.
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
