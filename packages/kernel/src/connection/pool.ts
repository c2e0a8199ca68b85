// Takes connections from knex's pool and releases them, with a session for each. Acquiring one from knex costs several
// timers and promises, as much as a short statement. Therefore a released connection goes directly to the next caller,
// and an idle one is kept for a moment. Queries of knex itself use these connections, too (knex-sessions.ts).

import type { Socket } from 'node:net'
import type { Knex } from 'knex'
import { AcquireQueue } from './acquire-queue.ts'
import { repeatIfBlocked } from './blocked-loop.ts'
import { connectTimeout } from './connect-timeout.ts'
import type { ConnectionDriver, DriverSession } from './connection-driver.ts'
import {
  type Client,
  clientOf,
  discard,
  isDiscarded,
  isTimeout,
  openKnex,
  type RawConnection,
} from './knex-internals.ts'
import { KnexSessions } from './knex-sessions.ts'
import { note as noteDriver } from './meaning.ts'
import { listenerFor, type Observers, type StatementObserver } from './observer.ts'
import type { Maybe, StatementListener } from './session.ts'
import { awayError, takenError } from './state.ts'
import { retryableError } from './statement-error.ts'
import { unavailable } from './unavailable.ts'
import type { Reading } from './usage.ts'

/** Maximum milliseconds that idle connections are kept here; after that they are returned to knex. */
const maxIdleTime = 1000

/** Times in milliseconds. */
export interface PoolTimes {
  /** Milliseconds to wait for a connection. */
  readonly acquireTimeout: number
  /** Milliseconds that a statement may take; 0 or undefined: no limit. */
  readonly statementTimeout?: number
}

/** The settings of a pool. */
export interface PoolSettings extends PoolTimes {
  /** Is called with each error that a caller receives, and returns it. */
  readonly note: <Noted>(error: Noted) => Noted
}

/** The numbers of connections of a pool, and of callers that wait for one. */
export interface PoolUsage {
  readonly max: number
  readonly busy: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

/** Supervises the connections of a pool, and decides when its reads run. */
export interface PoolSupervisor {
  /** Called when the pool has opened a connection. */
  add(session: DriverSession): void
  /** Called when the pool has given a connection up. */
  remove(session: DriverSession): void
  /** Called when a connection is acquired. */
  begin(): void
  /** Runs a read of the pool, when it is its turn. Throws UnavailableError. */
  read<T>(reading: Reading, read: () => Promise<T>): Promise<T>
  /** Called when a read has succeeded. `took`: the milliseconds for which it had its connection. */
  succeed(shape: object, session: DriverSession, took: number): void
  /** Called when a read has failed. */
  fail(shape: object): void
  close(): Promise<void>
}

/** The pool of one database. */
export class Pool {
  readonly knex: Knex
  readonly #client: Client
  readonly #driver: ConnectionDriver
  readonly #acquireTimeout: number
  readonly #note: PoolSettings['note']
  readonly #sessions = new WeakMap<object, DriverSession>()
  /** Idle connections, valid when they were put here; for knex they are in use. */
  #idle: DriverSession[] = []
  #timer: NodeJS.Timeout | null = null
  readonly #queue = new AcquireQueue()
  /** The number of connections that knex has given to this pool. */
  #taken = 0
  #isClosed = false
  /** Set by the connections of the database (Connections) if they supervise the pool; otherwise null. */
  supervisor: PoolSupervisor | null = null
  /** Is called for the statements of all connections. */
  listener: StatementListener = null
  /** The observers of callers; null as long as no caller is observed. */
  observers: Observers | null = null

  constructor(driver: ConnectionDriver, { acquireTimeout, note }: PoolSettings) {
    this.#driver = driver
    this.#note = note
    this.#acquireTimeout = acquireTimeout
    this.knex = openKnex(driver.knex, {
      acquireTimeout,
      module: driver.module,
      dateText: driver.dateText,
      socketOf: driver.socketOf,
      connections: new KnexSessions(this, note),
    })
    this.#client = clientOf(this.knex)
  }

  /**
   * Acquires a connection. Throws UnavailableError if none becomes free within `waitTimeout` milliseconds, or if none
   * can be opened.
   */
  acquire(waitTimeout = this.#acquireTimeout): Promise<DriverSession> {
    return this.#acquire(null, waitTimeout)
  }

  /** `reading` is null for writes. */
  async #acquire(reading: Reading | null, waitTimeout: number): Promise<DriverSession> {
    const session = this.#pick() ?? (await (this.#isFull ? this.#wait(reading, waitTimeout) : this.#take()))
    return this.#lend(session, reading)
  }

  #wait(reading: Reading | null, waitTimeout: number): Promise<DriverSession> {
    const { isAbandoned = null, bytes, shape } = reading ?? {}
    return this.#queue.wait({ isAbandoned, caller: bytes?.caller ?? null, shape, waitTimeout })
  }

  /** An idle connection for a write, without a promise; undefined if there is none. */
  #acquireIdle(): DriverSession | undefined {
    const session = this.#pick()
    return session === undefined ? undefined : this.#lend(session, null)
  }

  #lend(session: DriverSession, reading: Reading | null): DriverSession {
    session.listener = this.listener
    if (this.observers !== null) this.attach(session, this.observers.current)
    session.usage?.take(reading)
    this.supervisor?.begin()
    return session
  }

  /** The maximum number of connections. */
  get max(): number {
    return this.#client.pool.max
  }

  /** The connections at present. */
  get usage(): PoolUsage {
    const idle = this.#idle.length + this.#client.pool.numFree()
    return { max: this.max, busy: this.#client.pool.numUsed() - this.#idle.length, idle, waiting: this.#queue.size }
  }

  /** Lets `observer` observe a session, in place of the one before. */
  attach(session: DriverSession, observer: StatementObserver | null): void {
    session.listener = listenerFor(this.listener, observer)
    session.observer = observer
  }

  get #isFull(): boolean {
    return this.#taken >= this.max
  }

  /** True if callers wait because others use all connections. */
  get isCrowded(): boolean {
    return this.#queue.size > 0 && this.#isFull
  }

  /** Refuses callers that wait although their clients no longer do. */
  refuseAbandoned(): void {
    this.#queue.refuseAbandoned()
  }

  /** Opens a connection that does not count, and which the caller destroys. Throws the driver's error. */
  openBeside(): Promise<RawConnection> {
    return this.#repeatIfBlocked(() => this.#client.acquireRawConnection())
  }

  /** Opens a connection again that was not open in time because this process was busy. */
  #repeatIfBlocked<T>(open: () => Promise<T>): Promise<T> {
    return repeatIfBlocked(connectTimeout({ acquireTimeout: this.#acquireTimeout }), open)
  }

  /** Closes a connection of openBeside(). */
  async destroyBeside(connection: RawConnection): Promise<void> {
    await this.#client.destroyRawConnection(connection)
  }

  /** Opens a session on a connection of openBeside(). */
  sessionOn(connection: RawConnection): DriverSession {
    return this.#driver.open(connection)
  }

  /** Returns the socket of a connection; undefined if connections have none. */
  socketOf(connection: object): Socket | undefined {
    return this.#driver.socketOf?.(connection)
  }

  /** Marks a connection so that it is closed and not used again. */
  discard(connection: object, why: unknown): void {
    discard(connection, why)
  }

  /** Returns whether a connection ended, or was marked by discard(). */
  isDiscarded(connection: object): boolean {
    return isDiscarded(connection)
  }

  /** The connection used last is the warmest. */
  #pick(): DriverSession | undefined {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (this.#isSound(session)) return session
      this.#giveBack(session)
    }
    return undefined
  }

  async #take(): Promise<DriverSession> {
    this.#taken++
    try {
      const connection = await this.#repeatIfBlocked(() => this.#client.takeConnection())
      const session = this.#sessions.get(connection) ?? this.#driver.open(connection)
      this.#sessions.set(connection, session)
      this.supervisor?.add(session)
      return session
    } catch (error) {
      this.#taken--
      this.#serveNext()
      if (isTimeout(error)) throw this.#note(takenError(undefined, error))
      noteDriver(error, this.#driver.errors)
      // Whatever the reason is, a password that is no longer valid included: no request can be answered.
      throw this.#note(unavailable(error) ?? awayError('The database cannot be reached', error))
    }
  }

  release(session: DriverSession): void {
    session.usage?.release()
    if (this.#isClosed || !this.#isSound(session)) this.#giveBack(session)
    else if (this.#queue.size > 0) this.#queue.serve(session)
    else this.#keep(session)
  }

  #keep(session: DriverSession): void {
    this.#idle.push(session)
    this.#timer ??= setTimeout(() => this.#clear(), maxIdleTime).unref()
  }

  #isSound({ connection }: DriverSession): boolean {
    return !isDiscarded(connection) && this.#client.validateConnection(connection)
  }

  #giveBack(session: DriverSession): void {
    this.#taken--
    this.supervisor?.remove(session)
    void this.#client.returnConnection(session.connection)
    this.#serveNext()
  }

  #serveNext(): void {
    if (this.#queue.size > 0) this.#queue.serve(this.#take())
  }

  /** Returns all idle connections to knex. */
  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const sessions = this.#idle
    this.#idle = []
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
      throw this.#note(retryableError(session, error))
    } finally {
      this.release(session)
    }
  }

  /** Runs a read. Its supervisor may let it wait, or end it when its client no longer waits or when it is slow. */
  read<T>(work: (session: DriverSession) => Maybe<T>, reading: Reading = {}): Promise<T> {
    if (this.supervisor === null) return this.#read(work, reading)
    return this.supervisor.read(reading, () => this.#read(work, reading))
  }

  async #read<T>(work: (session: DriverSession) => Maybe<T>, reading: Reading): Promise<T> {
    const { shape } = reading
    const session = await this.#acquire(reading, this.#acquireTimeout)
    const began = performance.now()
    try {
      const result = await work(session)
      if (shape !== undefined) this.supervisor?.succeed(shape, session, performance.now() - began)
      return result
    } catch (error) {
      if (shape !== undefined) this.supervisor?.fail(shape)
      const failure = retryableError(session, error)
      // A read is not repeated: an error that makes a transaction run again is a 503 here.
      throw this.#note(unavailable(failure) ?? failure)
    } finally {
      const ended = session.endSnapshot?.()
      if (ended === undefined) this.release(session)
      else void this.#releaseAfter(ended, session)
    }
  }

  /** Releases a connection when its snapshot has ended, for which no caller waits: the read has its rows, or its error. */
  async #releaseAfter(ended: Promise<void>, session: DriverSession): Promise<void> {
    try {
      await ended
    } catch (error) {
      discard(session.connection, error)
    } finally {
      this.release(session)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#queue.close()
    this.#clear()
    await this.supervisor?.close()
    await this.knex.destroy()
  }
}
