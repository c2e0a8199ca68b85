// Shares the connections of a server, which allows many writers at a time: reads and writes take connections of the pool,
// writes of one entry take turns, and one of all processes is elected. Knows no driver.

import type {
  Committed,
  Connections,
  ConnectionTools,
  DriverSession,
  Maybe,
  Reading,
  Session,
  TransactionOptions,
  TransactionWork,
} from '@plinth/kernel/database'
import { Election } from './election.ts'
import { EntryQueue } from './entry-queue.ts'
import { retryConflicts } from './retry.ts'
import type { Elect } from './server-session.ts'
import { Supervisor } from './supervisor.ts'

/** The parts of a driver that many writers need. */
export interface ManyWritersSettings {
  /**
   * Asks the server to cancel the running statements of these sessions; resolves when the request was sent. `openBeside`
   * opens a connection outside the pool, which the callee closes.
   */
  cancel(sessions: readonly DriverSession[], openBeside: () => Promise<object>): Promise<void>
  readonly elect: Elect
  /**
   * Finds out with a second connection how the server is reached (Connections.settle). Missing if there is only one way.
   */
  settle?(session: Session, openSecond: () => Promise<object>): Promise<string | null>
}

/** Makes the connections of a server (Driver.connections). */
export function manyWriters(settings: ManyWritersSettings): (tools: ConnectionTools) => Connections {
  return tools => new ManyWriters(tools, settings)
}

class ManyWriters implements Connections {
  readonly readsBeside = true
  readonly #tools: ConnectionTools
  readonly #settle: ManyWritersSettings['settle']
  readonly #election: Election
  readonly #queue: EntryQueue
  /** Milliseconds after which a transaction does not wait for a lock again. */
  readonly #lockTimeout: number
  /** The number of this process's commits if no other process writes; otherwise null. */
  #count: number | null

  constructor(tools: ConnectionTools, { cancel, elect, settle }: ManyWritersSettings) {
    const { pool, settings } = tools
    this.#tools = tools
    this.#settle = settle
    this.#election = new Election(pool, elect)
    // One entry that many change may use a part of the connections.
    this.#queue = new EntryQueue(Math.ceil(pool.max / 4))
    this.#lockTimeout = settings.lockTimeout ?? Number.POSITIVE_INFINITY
    this.#count = settings.rememberTotals === true ? 0 : null
    pool.supervisor = new Supervisor(pool, sessions => cancel(sessions, () => pool.openBeside()), settings)
  }

  async open(): Promise<void> {}

  async settle(session: Session): Promise<string | null> {
    return (await this.#settle?.(session, () => this.#election.open())) ?? null
  }

  joinElection(): Promise<void> {
    return this.#election.start()
  }

  get isElected(): boolean {
    return this.#election.isElected
  }

  listen(): void {}

  observe(): void {}

  read<T>(work: (session: Session) => Maybe<T>, reading: Reading | undefined): Promise<T> {
    return this.#tools.pool.read(work, reading)
  }

  /** A second connection might never become free. */
  readWhereWritten<T>(work: (session: Session) => Maybe<T>): Promise<T> {
    const { callers, pool, settings } = this.#tools
    return callers.readOn(run => pool.use(run, settings.acquireTimeout), work)
  }

  withPinnedWriter<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  async commit<T>(work: TransactionWork<T>, options: TransactionOptions): Promise<Committed<T>> {
    const { turn, isUnlimited = false, mode } = options
    const { bracket, callers, pool, settings } = this.#tools
    const { acquireTimeout: waitTimeout } = settings
    const once = (session: DriverSession) =>
      callers.commitOn(session, work, { options, needsNoTransaction: mode === 'statement' })
    const run = isUnlimited ? (session: DriverSession) => bracket.runUnlimited(session, () => once(session)) : once
    const entered =
      turn === undefined ? undefined : this.#queue.enter(turn, { isShort: turn.isShort === true, waitTimeout })
    if (entered !== undefined) await entered
    try {
      const committed = await retryConflicts(() => pool.use(run, waitTimeout), this.#lockTimeout)
      if (this.#count !== null && options.keepsTotals !== true) this.#count++
      return committed
    } finally {
      if (turn !== undefined) this.#queue.leave(turn)
    }
  }

  /** A server commits the transactions of several connections together by itself. */
  commitTogether(): null {
    return null
  }

  version(): number | null {
    return this.#count
  }

  close(): Promise<void> {
    return this.#election.close()
  }
}
