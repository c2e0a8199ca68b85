// Connections: knex's pool, a session for each of its connections, and how one is taken and given back. Asking knex for one
// costs several timers and promises, as much as a short statement: connections in use go from one asker to the next, idle
// ones stay at hand for a moment, and knex has them when it wants them.

import createKnex, { type Knex } from 'knex'
import { UnavailableError } from '../errors.ts'
import { discard, type Driver, type DriverSession, isDiscarded } from './drivers/driver.ts'
import { refusedValue } from './refused.ts'
import { isLost, isTransient } from './retry.ts'
import type { Maybe, StatementListener } from './session.ts'
import { spoilsConnection, unavailable } from './unavailable.ts'

/** Milliseconds that idle connections stay at hand at most; knex closes them in time. */
const momentAtHand = 1000

/** A connection that cannot be made or ends is an error, told by whoever asked: knex tells each of them besides. */
const log = {
  warn: (message: unknown) => {
    if (!/^(Acquire connection|Connection) error/i.test(String(message))) console.warn(message)
  },
}

/** Somebody who asked while all connections were in use. */
interface Waiting {
  readonly resolve: (session: DriverSession | Promise<DriverSession>) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** The pool of one database. */
export class Pool {
  readonly knex: Knex
  readonly #driver: Driver
  readonly #acquireTimeout: number
  readonly #sessions = new WeakMap<object, DriverSession>()
  /** Sound when they were put here; knex counts them as in use. */
  #atHand: DriverSession[] = []
  #timer: NodeJS.Timeout | null = null
  /** Those that wait, the first first. */
  readonly #waiting = new Set<Waiting>()
  /** Connections that knex has given out to this pool. */
  #taken = 0
  #isClosed = false
  /** Hears the statements of all connections. */
  listener: StatementListener = null

  /** `acquireTimeout` in milliseconds. */
  constructor(driver: Driver, acquireTimeout: number) {
    this.#driver = driver
    this.#acquireTimeout = acquireTimeout
    this.knex = createKnex({ ...driver.knex, acquireConnectionTimeout: acquireTimeout, log })
    // Somebody asks knex itself.
    this.knex.client.pool.on('acquireRequest', () => this.#clear())
  }

  /** Throws UnavailableError where no connection becomes free in time, or none can be made. */
  async acquire(): Promise<DriverSession> {
    const session = this.#pick() ?? (await (this.#taken < this.knex.client.pool.max ? this.#take() : this.#wait()))
    session.listener = this.listener
    return session
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
      const connection: object = await this.knex.client.acquireConnection()
      const session = this.#sessions.get(connection) ?? this.#driver.open(connection)
      this.#sessions.set(connection, session)
      return session
    } catch (error) {
      this.#taken--
      this.#serveNext()
      if ((error as Error).name === 'KnexTimeoutError')
        throw new UnavailableError('No database connection is free', { cause: error })
      if (isLost(error)) throw new UnavailableError('The database cannot be reached', { cause: error })
      throw unavailable(error) ?? error
    }
  }

  #wait(): Promise<DriverSession> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(new UnavailableError('No database connection is free'))
      }, this.#acquireTimeout)
      const waiting: Waiting = { resolve, reject, timer }
      this.#waiting.add(waiting)
    })
  }

  release(session: DriverSession): void {
    const isWanted = this.knex.client.pool.numPendingAcquires() > 0
    if (this.#isClosed || isWanted || !this.#isSound(session)) this.#giveBack(session)
    else if (this.#waiting.size > 0) this.#next()!.resolve(session)
    else this.#keep(session)
  }

  #keep(session: DriverSession): void {
    this.#atHand.push(session)
    this.#timer ??= setTimeout(() => this.#clear(), momentAtHand).unref()
  }

  #next(): Waiting | undefined {
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting)
      clearTimeout(waiting.timer)
      return waiting
    }
    return undefined
  }

  #isSound({ connection }: DriverSession): boolean {
    return !isDiscarded(connection) && this.knex.client.validateConnection(connection)
  }

  #giveBack(session: DriverSession): void {
    this.#taken--
    void this.knex.client.releaseConnection(session.connection)
    this.#serveNext()
  }

  #serveNext(): void {
    const next = this.#next()
    if (next !== undefined) next.resolve(this.#take())
  }

  /** Gives back what lies at hand. */
  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const sessions = this.#atHand
    this.#atHand = []
    for (const session of sessions) this.#giveBack(session)
  }

  /** Runs `work` with a connection. One that broke meanwhile is thrown away. */
  async use<T>(work: (session: DriverSession) => Maybe<T>): Promise<T> {
    const session = await this.acquire()
    try {
      return await work(session)
    } catch (error) {
      if (!isLost(error)) {
        if (spoilsConnection(error)) discard(session.connection, error)
        // Whoever tries conflicts again wants them as they are.
        throw (isTransient(error) ? null : unavailable(error)) ?? refusedValue(error) ?? error
      }
      discard(session.connection, error)
      throw new UnavailableError('The connection to the database was lost', { cause: error })
    } finally {
      this.release(session)
    }
  }

  close(): Promise<void> {
    this.#isClosed = true
    for (let next = this.#next(); next !== undefined; next = this.#next())
      next.reject(new UnavailableError('The database is closed'))
    this.#clear()
    return this.knex.destroy()
  }
}
