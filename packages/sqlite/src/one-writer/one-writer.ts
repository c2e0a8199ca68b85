// Shares the connections of a database that allows one writer at a time, across all processes: writes that arrive together
// are committed together, an update pins the write connection from its read of the entry to the change, and a reader
// serves reads, if there is one. Knows no kind of database.

import type {
  Committed,
  Connections,
  ConnectionTools,
  DriverSession,
  Maybe,
  Observers,
  Reading,
  Session,
  StatementListener,
  TransactionOptions,
  TransactionWork,
} from '@plinth/kernel/database'
import { CommitGroup } from './commit-group.ts'
import type { Reader } from './reader.ts'
import { retryUntil } from './retry.ts'
import { WriteConnection } from './write-connection.ts'

/** The settings of `oneWriter`. */
export interface OneWriterSettings {
  /** Opens the reader; null if the pool serves reads. */
  openReader(): Maybe<Reader | null>
}

/** Makes the connections of a database with one writer (Driver.connections). Its pool has one connection. */
export function oneWriter(settings: OneWriterSettings): (tools: ConnectionTools) => Connections {
  return tools => new OneWriter(tools, settings)
}

class OneWriter implements Connections {
  /** There is no election: every process reads and writes the same numbers, one after the other. */
  readonly isElected = true
  readonly readsBeside = false
  readonly #tools: ConnectionTools
  readonly #openReader: OneWriterSettings['openReader']
  readonly #writer: WriteConnection
  readonly #group: CommitGroup
  #reader: Reader | null = null

  constructor(tools: ConnectionTools, { openReader }: OneWriterSettings) {
    this.#tools = tools
    this.#openReader = openReader
    this.#writer = new WriteConnection(tools.pool)
    const commit = <T>(work: TransactionWork<T>, options: TransactionOptions, deadline: number) =>
      this.commit(work, options, deadline)
    this.#group = new CommitGroup({ ...tools, commit })
  }

  async open(): Promise<void> {
    this.#reader = await this.#openReader()
  }

  async settle(): Promise<null> {
    return null
  }

  async joinElection(): Promise<void> {}

  listen(listener: StatementListener): void {
    if (this.#reader !== null) this.#reader.listener = listener
  }

  observe(observers: Observers): void {
    if (this.#reader !== null) this.#reader.observers = observers
  }

  read<T>(work: (session: Session) => Maybe<T>, reading: Reading | undefined): Maybe<T> {
    if (this.#reader !== null) return this.#reader.read(work, reading)
    // The pool has one connection: while an update has pinned it, the reads of that update use it too.
    return this.#writer.isTaken ? this.readWhereWritten(work) : this.#tools.pool.read(work, reading)
  }

  /** A connection for reads would have to drop its page cache after every commit. */
  readWhereWritten<T>(work: (session: Session) => Maybe<T>): Promise<T> {
    const { callers, settings } = this.#tools
    return callers.readOn(run => this.#writer.use(run, settings.acquireTimeout), work)
  }

  withPinnedWriter<T>(work: () => Promise<T>): Promise<T> {
    return this.#writer.isPinned ? work() : this.#writer.withPinned(work)
  }

  commit<T>(work: TransactionWork<T>, options: TransactionOptions, deadline: number): Promise<Committed<T>> {
    // Without a transaction only if no code runs after the statement that could still fail.
    const needsNoTransaction = options.mode === 'statement' && options.isPrivate === true
    const once = (session: DriverSession) =>
      this.#tools.callers.commitOn(session, work, { options, needsNoTransaction })
    // The write connection is kept while another process writes, so that writes run in the order of arrival.
    return this.#writer.use(session => retryUntil(deadline, () => once(session)), deadline - performance.now())
  }

  commitTogether<T>(work: TransactionWork<T>, options: TransactionOptions, deadline: number): Promise<T> | null {
    return this.#writer.isTaken ? null : this.#group.add(work, options, deadline)
  }

  version(session: Session): number | null {
    return this.#reader === null ? null : this.#reader.version(session)
  }

  async close(): Promise<void> {
    await this.#reader?.close()
  }
}
