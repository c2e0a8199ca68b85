// Takes connections from knex's pool and releases them, with a session for each. Acquiring one from knex costs several
// timers and promises, as much as a short statement. Therefore a released connection goes directly to the next caller,
// and an idle one is kept for a moment; knex gets it back when it needs it.

import type { Knex } from 'knex'
import { UnavailableError } from '../errors.ts'
import { AcquireQueue } from './acquire-queue.ts'
import type { Driver, DriverSession, Interruption } from './driver.ts'
import { type Client, clientOf, discard, isDiscarded, isTimeout, openKnex } from './knex-internals.ts'
import { Lanes } from './lanes.ts'
import { note } from './meaning.ts'
import { listenerFor, type Observers, type StatementObserver } from './observer.ts'
import { refusedValue } from './refused.ts'
import { isLost, isTransient } from './retry.ts'
import type { Maybe, StatementListener } from './session.ts'
import { Sweep } from './sweep.ts'
import { spoilsConnection, unavailable } from './unavailable.ts'
import type { IsAbandoned } from './usage.ts'

/** Most milliseconds that idle connections are kept here; after that, knex closes them in due time. */
const momentAtHand = 1000

/** In milliseconds. */
export interface PoolTimes {
  /** Milliseconds to wait for a connection. */
  readonly acquireTimeout: number
  /** Milliseconds that a statement may take; 0 or undefined: no limit. */
  readonly statementTimeout?: number
}

/** How many connections a pool has. */
export interface PoolUsage {
  readonly max: number
  readonly busy: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

/** The pool of one database. */
export class Pool {
  readonly knex: Knex
  readonly #client: Client
  readonly #driver: Driver
  readonly #acquireTimeout: number
  readonly #sessions = new WeakMap<object, DriverSession>()
  /** Idle connections, valid when they were put here; for knex they are in use. */
  #atHand: DriverSession[] = []
  #timer: NodeJS.Timeout | null = null
  readonly #queue = new AcquireQueue()
  /** The number of connections that knex has given to this pool. */
  #taken = 0
  #isClosed = false
  /** Both only if the pool serves reads and the server can cancel statements. */
  readonly #sweep: Sweep | null
  readonly #lanes: Lanes | null
  /** Is called for the statements of all connections. */
  listener: StatementListener = null
  /** The observers of callers; null as long as no caller is observed. */
  observers: Observers | null = null

  /** `acquireTimeout` and `statementTimeout` in milliseconds; a `statementTimeout` of 0 means no limit. */
  constructor(driver: Driver, { acquireTimeout, statementTimeout = 0 }: PoolTimes) {
    this.#driver = driver
    this.#acquireTimeout = acquireTimeout
    this.knex = openKnex(driver.knex, acquireTimeout, driver.dateText)
    this.#client = clientOf(this.knex)
    // A caller requests a connection from knex itself.
    this.#client.pool.on('acquireRequest', () => this.#clear())
    const interruption = driver.interruption?.(() => this.#client.acquireRawConnection())
    this.#lanes = interruption === undefined ? null : new Lanes(this.#client.pool.max, acquireTimeout)
    this.#sweep = interruption === undefined ? null : this.#makeSweep(interruption, statementTimeout)
  }

  #makeSweep(interruption: Interruption, statementTimeout: number): Sweep {
    return new Sweep({
      interruption,
      statementTimeout,
      share: this.#lanes!.share,
      isCrowded: () => this.#lanes!.isCrowded || (this.#queue.size > 0 && this.#taken >= this.#client.pool.max),
      onSlow: shape => this.#lanes!.noteSlow(shape),
      onSweep: () => {
        this.#lanes!.sweep()
        this.#queue.refuseAbandoned()
      },
    })
  }

  /**
   * Acquires a connection. Throws UnavailableError if none becomes free within `waitTimeout` milliseconds, or if none
   * can be opened.
   */
  acquire(waitTimeout = this.#acquireTimeout): Promise<DriverSession> {
    return this.#acquire(false, null, null, waitTimeout)
  }

  async #acquire(
    isReading: boolean,
    isAbandoned: IsAbandoned | null,
    shape: object | null,
    waitTimeout: number,
  ): Promise<DriverSession> {
    const session = this.#pick() ?? (await (this.#isFull ? this.#queue.wait(isAbandoned, waitTimeout) : this.#take()))
    return this.#lend(session, isReading, isAbandoned, shape)
  }

  /** An idle connection for a write, without a promise; undefined if there is none at hand. */
  #acquireIdle(): DriverSession | undefined {
    const session = this.#pick()
    return session === undefined ? undefined : this.#lend(session, false, null, null)
  }

  #lend(session: DriverSession, isReading: boolean, isAbandoned: IsAbandoned | null, shape: object | null) {
    session.listener = this.listener
    if (this.observers !== null) this.attach(session, this.observers.current)
    session.usage?.take(isReading, isAbandoned, shape)
    this.#sweep?.start()
    return session
  }

  /** The maximum number of connections. */
  get max(): number {
    return this.#client.pool.max
  }

  /** The connections at present. */
  get usage(): PoolUsage {
    const idle = this.#atHand.length + this.#client.pool.numFree()
    return { max: this.max, busy: this.#client.pool.numUsed() - this.#atHand.length, idle, waiting: this.#queue.size }
  }

  /** Lets `observer` observe a session, in place of the one before. */
  attach(session: DriverSession, observer: StatementObserver | null): void {
    session.listener = listenerFor(this.listener, observer)
    session.observer = observer
  }

  get #isFull(): boolean {
    return this.#taken >= this.max
  }

  /** The connection used last is the warmest. */
  #pick(): DriverSession | undefined {
    for (let session = this.#atHand.pop(); session !== undefined; session = this.#atHand.pop()) {
      if (this.#isSound(session)) return session
      this.#giveBack(session)
    }
    return undefined
  }

  async #take(): Promise<DriverSession> {
    this.#taken++
    try {
      const connection = await this.#client.acquireConnection()
      const session = this.#sessions.get(connection) ?? this.#driver.open(connection)
      this.#sessions.set(connection, session)
      this.#sweep?.add(session)
      return session
    } catch (error) {
      this.#taken--
      this.#serveNext()
      if (isTimeout(error)) throw new UnavailableError('No database connection is free', { cause: error })
      note(error, this.#driver.errors)
      if (isLost(error)) throw new UnavailableError('The database cannot be reached', { cause: error })
      throw unavailable(error) ?? error
    }
  }

  release(session: DriverSession): void {
    session.usage?.release()
    const isWanted = this.#client.pool.numPendingAcquires() > 0
    if (this.#isClosed || isWanted || !this.#isSound(session)) this.#giveBack(session)
    else if (this.#queue.size > 0) this.#queue.serve(session)
    else this.#keep(session)
  }

  #keep(session: DriverSession): void {
    this.#atHand.push(session)
    this.#timer ??= setTimeout(() => this.#clear(), momentAtHand).unref()
  }

  #isSound({ connection }: DriverSession): boolean {
    return !isDiscarded(connection) && this.#client.validateConnection(connection)
  }

  #giveBack(session: DriverSession): void {
    this.#taken--
    this.#sweep?.delete(session)
    void this.#client.releaseConnection(session.connection)
    this.#serveNext()
  }

  #serveNext(): void {
    if (this.#queue.size > 0) this.#queue.serve(this.#take())
  }

  /** Returns all idle connections to knex. */
  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const sessions = this.#atHand
    this.#atHand = []
    for (const session of sessions) this.#giveBack(session)
  }

  /**
   * Runs `work` with a connection, for which it waits up to `waitTimeout` milliseconds. A connection that breaks is
   * discarded.
   */
  async use<T>(work: (session: DriverSession) => Maybe<T>, waitTimeout = this.#acquireTimeout): Promise<T> {
    const session = this.#acquireIdle() ?? (await this.acquire(waitTimeout))
    try {
      return await work(session)
    } catch (error) {
      throw this.#judge(session, error)
    } finally {
      this.release(session)
    }
  }

  /**
   * Runs a read that can be cancelled: when its client no longer waits, or when it is slow while others wait for
   * connections. Reads of one `shape` cost about the same; slow ones share a few connections.
   */
  read<T>(work: (session: DriverSession) => Maybe<T>, isAbandoned?: IsAbandoned, shape?: object): Promise<T> {
    const lanes = this.#lanes
    const read = () => this.#read(work, isAbandoned ?? null, shape ?? null)
    if (lanes === null || shape === undefined || lanes.isShort(shape)) return read()
    return lanes.run(shape, read, isAbandoned)
  }

  async #read<T>(
    work: (session: DriverSession) => Maybe<T>,
    isAbandoned: IsAbandoned | null,
    shape: object | null,
  ): Promise<T> {
    const session = await this.#acquire(true, isAbandoned, shape, this.#acquireTimeout)
    const began = performance.now()
    try {
      const result = await work(session)
      if (shape !== null && session.usage?.isSlow === false) this.#lanes?.note(shape, performance.now() - began)
      return result
    } catch (error) {
      if (shape !== null) this.#lanes?.forget(shape)
      const judged = this.#judge(session, error)
      // A read is not repeated: an error that makes a transaction run again is a 503 here.
      throw unavailable(judged) ?? judged
    } finally {
      this.release(session)
    }
  }

  /** Returns the error for the caller, and discards the connection if the error requires it. */
  #judge({ connection, usage, errors }: DriverSession, error: unknown): unknown {
    const refusal = usage?.refusal ?? null
    if (refusal !== null) {
      refusal.cause ??= error
      return refusal
    }
    note(error, errors)
    if (isLost(error)) {
      discard(connection, error)
      return new UnavailableError('The connection to the database was lost', { cause: error })
    }
    if (spoilsConnection(error)) discard(connection, error)
    // Conflicts stay as they are for the code that retries them.
    return (isTransient(error) ? null : unavailable(error)) ?? refusedValue(error) ?? error
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#queue.close()
    this.#clear()
    await this.#sweep?.stop()
    await this.knex.destroy()
  }
}
