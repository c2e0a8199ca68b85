// Serves an application in several processes, which share one address. This process answers no requests: it starts the
// others, replaces those that end, and closes them.

import cluster, { type Worker } from 'node:cluster'
import { childFile } from './child-file.ts'
import { listenToSignals } from './signals.ts'

/** Maximum time that the processes have to end, in milliseconds. */
const maxTime = 10_000

/** Milliseconds until an ended process is replaced. They double with each end that follows soon. */
const wait = { least: 250, most: 30_000 }

/**
 * Runs `count` processes until a signal, and returns the exit code. The first one starts alone: it brings the database
 * to the model, and prints what is wrong with the application.
 */
export function runProcesses(dir: string, count: number): Promise<number> {
  return new Promise(resolve => new Processes(dir, count, resolve).start())
}

class Processes {
  readonly #dir: string
  readonly #count: number
  readonly #end: (code: number) => void
  readonly #timers = new Set<NodeJS.Timeout>()
  /** The number of each process. One that replaces another has its number. */
  readonly #numbers = new Map<Worker, number>()
  #isOpen = false
  #isStopping = false
  #code = 0
  #wait = wait.least
  #lastEnd = 0

  constructor(dir: string, count: number, end: (code: number) => void) {
    this.#dir = dir
    this.#count = count
    this.#end = end
  }

  start(): void {
    cluster.setupPrimary({ exec: childFile, args: ['start', this.#dir] })
    cluster.on('listening', () => this.#open())
    cluster.on('exit', (worker, code, signal) => this.#replace(worker, code, signal))
    listenToSignals(['SIGINT', 'SIGTERM'], { onFirst: () => this.#stop(), onFurther: () => this.#kill() })
    this.#fork(0)
  }

  /** Starts a process with its number in NODE_APP_INSTANCE, as process managers do. */
  #fork(number: number): void {
    this.#numbers.set(cluster.fork({ NODE_APP_INSTANCE: String(number) }), number)
  }

  /** The first process listens: starts the others. */
  #open(): void {
    if (this.#isOpen || this.#isStopping) return
    this.#isOpen = true
    for (let i = 1; i < this.#count; i++) this.#fork(i)
  }

  #replace(worker: Worker, code: number, signal: string): void {
    const { pid } = worker.process
    const number = this.#numbers.get(worker)!
    this.#numbers.delete(worker)
    if (this.#isStopping) {
      if (code !== 0 && !isUnstarted(signal)) this.#code = 1
      if (workers().length === 0) this.#end(this.#code)
      return
    }
    // A process that cannot start has said why, and another one could not either.
    if (!this.#isOpen) {
      this.#end(1)
      return
    }
    const now = Date.now()
    this.#wait = now - this.#lastEnd > 2 * wait.most ? wait.least : Math.min(this.#wait * 2, wait.most)
    this.#lastEnd = now
    const how = signal ? `by ${signal}` : `with exit code ${code}`
    console.error(`plinth: process ${pid} ended ${how}; another one starts in ${this.#wait} ms`)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#fork(number)
    }, this.#wait)
    this.#timers.add(timer)
  }

  /** Closes all processes; kills them after ten seconds. */
  #stop(): void {
    this.#isStopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    const running = workers()
    if (running.length === 0) this.#end(0)
    // One that ends meanwhile does not receive it; without a callback, that would be an error event.
    for (const worker of running) if (worker.isConnected()) worker.send('stop', () => {})
    setTimeout(() => this.#kill(), maxTime).unref()
  }

  #kill(): void {
    for (const { process: one } of workers()) one.kill('SIGKILL')
  }
}

/**
 * Returns whether the signal that ended a process shows that it had not begun to start: its program ignores these signals,
 * and where all processes of a group receive them, they may arrive before it is loaded. Nothing is lost then.
 */
const isUnstarted = (signal: string) => signal === 'SIGINT' || signal === 'SIGTERM'

const workers = () => Object.values(cluster.workers ?? {}).filter(one => one !== undefined)
