// Group commit: writes that arrive together share one COMMIT, each in a savepoint that can fail alone. COMMIT writes
// whole pages, and neighbouring rows share pages: the COMMIT of twenty creates costs little more than that of one.

import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import {
  type After,
  type Committed,
  type ConnectionTools,
  type DriverSession,
  isTransient,
  type RunningTransaction,
  type StatementObserver,
  sharedObserver,
  type TransactionOptions,
  type TransactionWork,
  UnavailableError,
} from '@plinth/kernel/database'
import { retryUntil } from './retry.ts'

/** Maximum number of writes in one COMMIT, so that none waits long for the others. */
const maxGroupSize = 32

type Work = TransactionWork<unknown>

/** A write that waits for its turn. */
interface QueuedWrite {
  /** The caller's asynchronous context; null for work whose code does not depend on it. */
  readonly scope: AsyncResource | null
  /** The caller's observer; null if it is not observed. */
  readonly observer: StatementObserver | null
  readonly work: Work
  readonly options: TransactionOptions
  /** The time until which it waits for its turn, as of performance.now(). */
  readonly deadline: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The outcome of one write of a group, reported after COMMIT. */
interface End {
  readonly one: QueuedWrite
  readonly after: After
  readonly hasFailed: boolean
  /** The value that the write returned, or the error that it threw. */
  readonly result: unknown
}

/** The parts of the database that a group uses. */
export interface GroupTools extends Pick<ConnectionTools, 'pool' | 'bracket' | 'callers'> {
  /** Commits a transaction of its own, which waits for its turn until `deadline`. */
  commit(work: Work, options: TransactionOptions, deadline: number): Promise<Committed<unknown>>
}

/** Collects the writes that arrive in one turn of the event loop and commits them together. */
export class CommitGroup {
  readonly #tools: GroupTools
  /** An asynchronous context without a caller. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #waiting: QueuedWrite[] = []
  #isRunning = false

  constructor(tools: GroupTools) {
    this.#tools = tools
  }

  /**
   * Resolves after the COMMIT that holds the write. Throws UnavailableError if its turn does not come until `deadline`.
   */
  add<T>(work: TransactionWork<T>, options: TransactionOptions, deadline: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const scope = options.isPrivate === true ? null : new AsyncResource('plinth.write')
      const { observer } = this.#tools.callers
      this.#waiting.push({
        scope,
        observer,
        work,
        options,
        deadline,
        resolve: resolve as QueuedWrite['resolve'],
        reject,
      })
      if (this.#isRunning) return
      this.#isRunning = true
      // Requests that arrived with this one are read before the next phase of the event loop.
      setImmediate(() => this.#outside(() => void this.#drain()))
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, maxGroupSize)
      await this.#run(group).catch(error => {
        for (const one of group) one.reject(error)
      })
    }
    this.#isRunning = false
  }

  /** Commits a group. While others hold the writer, writes whose deadline passes leave the group. */
  async #run(group: readonly QueuedWrite[]): Promise<void> {
    let left = group
    while (left.length > 1) {
      const error = await this.#tryGroup(left)
      if (error === null) return
      left = rejectLate(left, error)
    }
    if (left.length === 1) await this.#runAlone(left[0]!)
  }

  /**
   * Returns null if the outcome of every write was reported; otherwise the error because of which no write has begun.
   */
  async #tryGroup(group: readonly QueuedWrite[]): Promise<unknown> {
    const ends: End[] = []
    let hasBegun = false
    // BEGIN and COMMIT belong to all writes of the group.
    const shared = sharedBy(group)
    const work = async (session: DriverSession, tx: RunningTransaction) => {
      hasBegun = true
      for (const one of group) {
        if (shared !== null) this.#tools.pool.attach(session, one.observer)
        ends.push(await this.#runPart(session, tx, one))
      }
      if (shared !== null) this.#tools.pool.attach(session, shared)
    }
    try {
      await this.#tools.callers.observed(shared, () => this.#commit(work, group[0]!.deadline))
    } catch (error) {
      if (!hasBegun && error instanceof UnavailableError) return error
      // Nothing is committed and no outcome was reported: each write is tried alone.
      for (const one of group) await this.#runAlone(one)
      return null
    }
    for (const { one, after, hasFailed, result } of ends) {
      if (hasFailed) one.reject(result)
      else one.resolve(result)
      if (after.length > 0) one.scope!.runInAsyncScope(() => void this.#tools.callers.runAfter(after))
    }
    return null
  }

  /** Resolves after COMMIT. Only the caller waits for the functions that run after COMMIT, because they may write. */
  async #runAlone({ scope, observer, work, options, deadline, resolve, reject }: QueuedWrite): Promise<void> {
    const { callers, commit } = this.#tools
    const run = () => callers.observed(observer, () => commit(work, options, deadline))
    try {
      const { result, after } = await (scope === null ? run() : scope.runInAsyncScope(run))
      if (after.length === 0) return resolve(result)
      const end = () => callers.runAfter(after)
      resolve((scope === null ? end() : scope.runInAsyncScope(end)).then(() => result))
    } catch (error) {
      reject(error)
    }
  }

  /** Runs the writes of a group between BEGIN and COMMIT. The group is not repeated once it has begun. */
  async #commit(
    work: (session: DriverSession, tx: RunningTransaction) => Promise<void>,
    deadline: number,
  ): Promise<void> {
    const { pool, bracket } = this.#tools
    let hasBegun = false
    const enter = (session: DriverSession) => (tx: RunningTransaction) => {
      hasBegun = true
      return work(session, tx)
    }
    const options = { serializable: false, needsNoTransaction: false }
    await pool.use(
      session =>
        retryUntil(
          deadline,
          () => bracket.run(session, options, enter(session)),
          () => !hasBegun,
        ),
      deadline - performance.now(),
    )
  }

  async #runPart(session: DriverSession, tx: RunningTransaction, one: QueuedWrite): Promise<End> {
    try {
      return await (one.scope === null ? this.#runPrivate(tx, one) : this.#runScoped(tx, one, one.scope))
    } catch (error) {
      // A conflict or a lost connection affects the whole group.
      if (!session.inTransaction || isTransient(error)) throw error
      return { one, after: [], hasFailed: true, result: error }
    }
  }

  /** A single statement needs no savepoint to fail alone. */
  async #runPrivate(tx: RunningTransaction, one: QueuedWrite): Promise<End> {
    const run = () => one.work(tx)
    const result = await (one.options.mode === 'statement' ? run() : tx.guard(run))
    return { one, after: [], hasFailed: false, result }
  }

  async #runScoped(tx: RunningTransaction, one: QueuedWrite, scope: AsyncResource): Promise<End> {
    let own: RunningTransaction | null = null
    const enter = (nested: RunningTransaction) => {
      own = nested
      return scope.runInAsyncScope(() => this.#tools.callers.enter(nested, () => one.work(nested)))
    }
    const result = await tx.savepoint(enter, false)
    return { one, after: (own as RunningTransaction | null)?.after ?? [], hasFailed: false, result }
  }
}

/**
 * Rejects the writes whose deadline has passed and returns the others. An error that is not about waiting rejects all
 * of them.
 */
function rejectLate(group: readonly QueuedWrite[], error: unknown): readonly QueuedWrite[] {
  const now = performance.now() + 1
  const isWaiting = group[0]!.deadline <= now
  for (const one of group) if (!isWaiting || one.deadline <= now) one.reject(error)
  return isWaiting ? group.filter(one => one.deadline > now) : []
}

/** The observer of the statements that all writes of a group share; null if none of them is observed. */
function sharedBy(group: readonly QueuedWrite[]): StatementObserver | null {
  for (const { observer } of group)
    if (observer !== null) return sharedObserver([...new Set(group.flatMap(one => one.observer ?? []))])
  return null
}
