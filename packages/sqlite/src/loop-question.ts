// A read of a SQLite file on the event loop: its statements share a limit of processor time.

import type {
  Bound,
  BoundStatement,
  Reading,
  RowBytes,
  Rows,
  Session,
  StatementObserver,
} from '@plinth/kernel/database'
import type { SnapshotRead } from './loop-snapshots.ts'

/** Milliseconds of processor time that the statements of one read may use on the event loop. */
export const waitTimeout = 10

/** Runs the statements of reads on the event loop. */
interface LoopReader {
  /** True if the statements of one read are to see one state. */
  readonly takesSnapshots: boolean
  all(text: string, values: readonly Bound[], question: LoopQuestion): Rows
}

/** A read on the event loop, with the time that it has left. */
export class LoopQuestion implements Session, SnapshotRead {
  readonly canBatch = false
  hasSnapshot = false
  version: number | null = null
  readonly countsBytes = true
  readonly #reader: LoopReader
  /** The shape of the read: an object that reads of about the same cost share. */
  readonly shape: object | undefined
  /** Counts the bytes of its rows; null if nobody does. */
  readonly bytes: RowBytes | null
  readonly observer: StatementObserver | null
  /** Milliseconds of processor time. */
  left = waitTimeout

  constructor(reader: LoopReader, { shape, bytes = null }: Reading, observer: StatementObserver | null) {
    this.#reader = reader
    this.shape = shape
    this.bytes = bytes
    this.observer = observer
  }

  get canSnapshot(): boolean {
    return this.#reader.takesSnapshots
  }

  /** It begins with the next statement. */
  beginSnapshot(): void {
    this.hasSnapshot = true
  }

  all(text: string, values: readonly Bound[]): Rows {
    return this.#reader.all(text, values, this)
  }

  batch(steps: readonly BoundStatement[]): Rows[] {
    return steps.map(({ text, values }) => this.all(text, values))
  }

  run(): never {
    throw new Error('A connection for reads cannot write')
  }

  enqueue(): never {
    throw new Error('A connection for reads cannot write')
  }

  flush(): void {}
}
