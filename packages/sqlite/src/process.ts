// A reader process, as the server controls it. It is killed if a statement does not end: a statement that sorts can
// only be ended that way, and a killed reader leaves nothing behind.

import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import {
  type Bound,
  bytesOfRows,
  type RowBytes,
  type Rows,
  UnavailableError,
  ValidationError,
} from '@plinth/kernel/database'
import { unavailableOf } from './errors.ts'
import type { Order, Reply } from './messages.ts'

/** The maximum number of rows of one read: more are not returned. */
const maxRows = 1_000_000

const main = new URL(`./reader-main${extname(import.meta.filename)}`, import.meta.url)

/** Starts the process. Lack of memory is thrown; other failures are an `error` event. */
function start(): ChildProcess {
  try {
    return fork(main, [], { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  } catch (cause) {
    throw new UnavailableError('The system cannot start a process for a long read', { cause })
  }
}

/** The rows of a statement and the milliseconds it took. */
export interface Answer {
  readonly rows: Rows
  readonly took: number
}

interface PendingAnswer {
  readonly rows: Rows
  /** Counts the bytes of the rows; null if nobody does. */
  readonly bytes: RowBytes | null
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** A process that runs reads. */
export class ReaderProcess {
  readonly #child: ChildProcess
  #waiting: PendingAnswer | null = null
  #rows = 0
  /** The reason why it was killed. */
  #why: unknown = null
  isAlive = true
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>

  /** Throws UnavailableError if the system cannot start a process. */
  constructor(filename: string) {
    this.#child = start()
    this.#child.on('message', reply => this.#receive(reply as Reply))
    this.ended = new Promise(resolve => {
      const end = (error?: unknown) => {
        this.isAlive = false
        const cause = this.#why ?? error
        this.#fail(
          cause instanceof UnavailableError
            ? cause
            : new UnavailableError('The reader process ended before the read was complete', { cause }),
        )
        resolve()
      }
      this.#child.once('exit', () => end())
      this.#child.once('error', end)
    })
    this.#send({ kind: 'open', filename })
  }

  /**
   * Begins a read of at most `waitTimeout` milliseconds. An idle reader process does not keep the server's process
   * alive.
   */
  begin(waitTimeout: number): void {
    this.#rows = 0
    this.#child.ref()
    this.#child.channel?.ref()
    this.#send({ kind: 'begin', waitTimeout })
  }

  end(): void {
    this.#send({ kind: 'end' })
    this.#child.unref()
    this.#child.channel?.unref()
  }

  /**
   * Runs a statement, whose rows arrive as there is room for them. Throws UnavailableError, or ValidationError if it
   * returns more rows than an answer may have.
   */
  all(text: string, values: readonly Bound[], bytes: RowBytes | null = null): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { rows: [], bytes, resolve, reject }
      if (this.isAlive) this.#send({ kind: 'all', text, values })
      else
        this.#fail(new UnavailableError('The reader process ended before the read was complete', { cause: this.#why }))
    })
  }

  /** Kills the process; a waiting caller receives `why`. */
  kill(why: unknown): void {
    this.#why ??= why
    this.isAlive = false
    // close() of the database waits for the end.
    this.#child.ref()
    this.#child.kill('SIGKILL')
  }

  #send(order: Order): void {
    // If the process has ended, its exit event reports the failure.
    if (this.#child.connected) this.#child.send(order, () => {})
  }

  #receive(reply: Reply): void {
    const waiting = this.#waiting
    if (reply.kind === 'error') {
      const cause = Object.assign(new Error(reply.message), { code: reply.code ?? undefined })
      this.#fail(reply.isOverdue ? overdue(cause) : (unavailableOf(cause) ?? cause))
    } else if (waiting !== null) {
      for (const row of reply.rows) waiting.rows.push(row)
      const hasRoom = waiting.bytes === null || waiting.bytes.add(bytesOfRows(reply.rows))
      this.#rows += reply.rows.length
      if (this.#rows > maxRows) {
        this.#fail(new ValidationError(`The answer would have more than ${maxRows} rows, which is the limit`))
        this.kill(null)
      } else if (reply.took === null) {
        if (hasRoom) this.#send({ kind: 'next' })
        else void this.#sendLater(waiting)
      } else {
        this.#waiting = null
        waiting.resolve({ rows: waiting.rows, took: reply.took })
      }
    }
  }

  /** Asks for the next rows when there is room for them. */
  async #sendLater(waiting: PendingAnswer): Promise<void> {
    try {
      await waiting.bytes!.room()
      if (this.#waiting === waiting) this.#send({ kind: 'next' })
    } catch (error) {
      if (this.#waiting === waiting) this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.reject(error)
  }
}

/** The error for a read that exceeded its time limit. */
export function overdue(cause?: unknown): UnavailableError {
  return new UnavailableError('The database took too long for this query', { retryAfter: 5, cause })
}
