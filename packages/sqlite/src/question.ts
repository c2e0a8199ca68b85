// A read that runs in a reader process: all its statements see the same snapshot of the database.

import {
  type Bound,
  type BoundStatement,
  listenerFor,
  type RowBytes,
  type Rows,
  type Session,
  type StatementListener,
  type StatementObserver,
} from '@plinth/kernel/database'
import type { ReaderProcess } from './process.ts'

interface RemoteOptions {
  readonly version: number
  readonly listener: StatementListener
  readonly observer: StatementObserver | null
  /** Counts the bytes of the rows; null if nobody does. */
  readonly bytes: RowBytes | null
}

/** A session in a reader process. */
export class RemoteQuestion implements Session {
  readonly canBatch = false
  readonly countsBytes = true
  /** The database's version before the read. */
  readonly version: number
  /** The texts of its statements. */
  readonly texts: string[] = []
  readonly #process: ReaderProcess
  readonly #listener: StatementListener
  readonly observer: StatementObserver | null
  readonly #bytes: RowBytes | null
  /** Milliseconds that its statements took in the process. */
  took = 0

  constructor(process: ReaderProcess, { version, listener, observer, bytes }: RemoteOptions) {
    this.#process = process
    this.version = version
    this.#listener = listenerFor(listener, observer)
    this.observer = observer
    this.#bytes = bytes
  }

  async all(text: string, values: readonly Bound[]): Promise<Rows> {
    this.#listener?.(text)
    this.texts.push(text)
    this.observer?.onBegin()
    try {
      const { rows, took } = await this.#process.all(text, values, this.#bytes)
      this.took += took
      return rows
    } finally {
      this.observer?.onEnd()
    }
  }

  async batch(steps: readonly BoundStatement[]): Promise<Rows[]> {
    const answers: Rows[] = []
    for (const { text, values } of steps) answers.push(await this.all(text, values))
    return answers
  }

  run(): never {
    throw new Error('A connection for reads cannot write')
  }

  enqueue(): never {
    throw new Error('A connection for reads cannot write')
  }

  flush(): void {}
}
