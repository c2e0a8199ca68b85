// Group commit: writes that arrive together share one COMMIT, each as a part that can fail alone. What a COMMIT writes is
// whole pages, and neighbours touch the same ones: twenty creates cost little more of it than one.

import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { Committed, TransactionOptions } from './bracket.ts'
import type { DriverSession } from './driver.ts'
import { UnavailableError } from '../errors.ts'
import { isTransient } from './retry.ts'
import type { RunningTransaction } from './transaction.ts'

/** Most writes of one COMMIT: none waits long for the others. */
const maxGroupSize = 32

type Work = (tx: never) => Promise<unknown>
type After = readonly (() => unknown)[]

/** A write that waits for its turn. */
interface QueuedWrite {
  /** The asynchronous context of whoever asked; null for work in which nobody can tell. */
  readonly scope: AsyncResource | null
  readonly work: Work
  readonly options: TransactionOptions
  /** Until when it waits for its turn, in the time of performance.now(). */
  readonly deadline: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How one write of a group ended, to be told after COMMIT. */
interface End {
  readonly one: QueuedWrite
  readonly after: After
  readonly hasFailed: boolean
  /** What it returned or threw. */
  readonly result: unknown
}

/** What a group needs of its database. */
export interface GroupDatabase {
  /** BEGIN and COMMIT around `work`, or ROLLBACK; it waits for a connection until `deadline`. */
  commit(work: (session: DriverSession, tx: RunningTransaction) => Promise<void>, deadline: number): Promise<void>
  /** A transaction of its own, which waits for its turn until `deadline`. */
  alone(work: Work, options: TransactionOptions, deadline: number): Promise<Committed<unknown>>
  /** Runs `work` as what is below `part`. */
  enter<T>(part: RunningTransaction, work: () => T): T
  /** Runs what was kept for after COMMIT. */
  runAfter(after: After): Promise<void>
}

/** Collects what arrives in one turn of the event loop and commits it together. */
export class CommitGroup {
  readonly #database: GroupDatabase
  /** The context of nobody who asks. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #waiting: QueuedWrite[] = []
  #isRunning = false

  constructor(database: GroupDatabase) {
    this.#database = database
  }

  /** Resolves after the COMMIT that holds the write. Throws UnavailableError where its turn did not come until `deadline`. */
  add<T>(work: Work, options: TransactionOptions, deadline: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const scope = options.isPrivate === true ? null : new AsyncResource('plinth.write')
      this.#waiting.push({ scope, work, options, deadline, resolve: resolve as QueuedWrite['resolve'], reject })
      if (this.#isRunning) return
      this.#isRunning = true
      // Requests that came in with this one are read before the next phase of the loop.
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

  /** Commits a group. While others have the writer, those whose deadline passes leave it. */
  async #run(group: readonly QueuedWrite[]): Promise<void> {
    let left = group
    while (left.length > 1) {
      const error = await this.#tryGroup(left)
      if (error === null) return
      left = rejectLate(left, error)
    }
    if (left.length === 1) await this.#runAlone(left[0]!)
  }

  /** Null where every write was told; otherwise the error because of which none has begun. */
  async #tryGroup(group: readonly QueuedWrite[]): Promise<unknown> {
    const ends: End[] = []
    let hasBegun = false
    try {
      await this.#database.commit(async (session, tx) => {
        hasBegun = true
        for (const one of group) ends.push(await this.#runPart(session, tx, one))
      }, group[0]!.deadline)
    } catch (error) {
      if (!hasBegun && error instanceof UnavailableError) return error
      // Nothing is committed and nobody was told otherwise: each is tried alone.
      for (const one of group) await this.#runAlone(one)
      return null
    }
    for (const { one, after, hasFailed, result } of ends) {
      if (hasFailed) one.reject(result)
      else one.resolve(result)
      if (after.length > 0) one.scope!.runInAsyncScope(() => void this.#database.runAfter(after))
    }
    return null
  }

  /** Resolves after COMMIT. Its caller waits for what runs after that, and nobody else: it may write itself. */
  async #runAlone({ scope, work, options, deadline, resolve, reject }: QueuedWrite): Promise<void> {
    const run = () => this.#database.alone(work, options, deadline)
    try {
      const { result, after } = await (scope === null ? run() : scope.runInAsyncScope(run))
      if (after.length === 0) return resolve(result)
      const end = () => this.#database.runAfter(after)
      resolve((scope === null ? end() : scope.runInAsyncScope(end)).then(() => result))
    } catch (error) {
      reject(error)
    }
  }

  async #runPart(session: DriverSession, tx: RunningTransaction, one: QueuedWrite): Promise<End> {
    try {
      return await (one.scope === null ? this.#runPrivate(tx, one) : this.#runScoped(tx, one, one.scope))
    } catch (error) {
      // A conflict or a broken connection concerns the whole group.
      if (!session.inTransaction || isTransient(error)) throw error
      return { one, after: [], hasFailed: true, result: error }
    }
  }

  /** A single statement can fail alone as it is. */
  async #runPrivate(tx: RunningTransaction, one: QueuedWrite): Promise<End> {
    const run = () => one.work(tx as never)
    const result = await (one.options.isSingle === true ? run() : tx.guard(run))
    return { one, after: [], hasFailed: false, result }
  }

  async #runScoped(tx: RunningTransaction, one: QueuedWrite, scope: AsyncResource): Promise<End> {
    let own: RunningTransaction | null = null
    const enter = (part: RunningTransaction) => {
      own = part
      return scope.runInAsyncScope(() => this.#database.enter(part, () => one.work(part as never)))
    }
    const result = await tx.savepoint(enter, false)
    return { one, after: (own as RunningTransaction | null)?.after ?? [], hasFailed: false, result }
  }
}

/** Rejects those whose deadline has passed and gives the others. An error that is not about waiting concerns all of them. */
function rejectLate(group: readonly QueuedWrite[], error: unknown): readonly QueuedWrite[] {
  const now = performance.now() + 1
  const isWaiting = group[0]!.deadline <= now
  for (const one of group) if (!isWaiting || one.deadline <= now) one.reject(error)
  return isWaiting ? group.filter(one => one.deadline > now) : []
}
