// Computes scrypt keys in one worker thread, which starts with the first key and ends at `close`.

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { UnavailableError } from '@plinth/kernel'
import type { ScryptOrder, ScryptReply } from './scrypt-worker.ts'
import { WorkQueue } from './work-queue.ts'

const main = new URL(`./scrypt-worker${extname(import.meta.filename)}`, import.meta.url)

/** The input from which a key is derived. */
export type ScryptInput = Omit<ScryptOrder, 'id'>

interface WaitingOrder {
  readonly resolve: (key: Buffer) => void
  readonly reject: (error: Error) => void
}

/** Derives keys off the event loop, one at a time; 25 wait for at most about five seconds. */
export class Scrypt {
  readonly #queue = new WorkQueue({ maxWaiting: 25, message: 'Too many logins at the moment', retryAfter: 5 })
  readonly #waiting = new Map<number, WaitingOrder>()
  #worker: Worker | null = null
  #lastId = 0
  #isClosed = false

  /** The key. Throws UnavailableError if too many are waiting, if the thread ends, or after `close`. */
  derive(input: ScryptInput): Promise<Buffer> {
    return this.#queue.run(() => this.#order(input))
  }

  /** Ends the thread. Keys that are being derived are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  #order(input: ScryptInput): Promise<Buffer> {
    if (this.#isClosed) return Promise.reject(new UnavailableError('The server is closing'))
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = ++this.#lastId
    return new Promise<Buffer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      // An idle thread does not keep a script from ending, but a key that is being derived does.
      worker.ref()
      worker.postMessage({ id, ...input })
    })
  }

  #start(): Worker {
    const worker = new Worker(main, { execArgv: [] })
    worker.unref()
    worker.on('message', (reply: ScryptReply) => this.#settle(worker, reply))
    // Without this listener, an error of the thread would end the process; `exit` follows it.
    let cause: Error | undefined
    worker.on('error', error => {
      cause = error as Error
    })
    worker.on('exit', () => this.#fail(worker, cause))
    return worker
  }

  #settle(worker: Worker, reply: ScryptReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) worker.unref()
    if ('key' in reply) waiting?.resolve(Buffer.from(reply.key))
    else waiting?.reject(new UnavailableError('A password could not be hashed', { cause: reply.fault }))
  }

  /** The next key starts another thread. */
  #fail(worker: Worker, cause: Error | undefined): void {
    if (this.#worker === worker) this.#worker = null
    const all = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of all) reject(new UnavailableError('The thread that hashes passwords ended', { cause }))
  }
}
