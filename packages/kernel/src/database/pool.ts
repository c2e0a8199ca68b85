// Connections: knex's pool, a session for each of its connections, and how one is taken and given back.

import createKnex, { type Knex } from 'knex'
import { UnavailableError } from '../errors.ts'
import { discard, type Driver, type DriverSession } from './drivers/driver.ts'
import { refusedValue } from './refused.ts'
import { isLost } from './retry.ts'
import type { Maybe, StatementListener } from './session.ts'

/** The pool of one database. */
export class Pool {
  readonly knex: Knex
  readonly #driver: Driver
  readonly #sessions = new WeakMap<object, DriverSession>()
  /** Hears the statements of all connections. */
  listener: StatementListener = null

  /** `acquireTimeout` in milliseconds. */
  constructor(driver: Driver, acquireTimeout: number) {
    this.#driver = driver
    this.knex = createKnex({ ...driver.knex, acquireConnectionTimeout: acquireTimeout })
  }

  /** Throws UnavailableError where no connection becomes free in time, or none can be made. */
  async acquire(): Promise<DriverSession> {
    try {
      const connection: object = await this.knex.client.acquireConnection()
      const session = this.#sessions.get(connection) ?? this.#driver.open(connection)
      this.#sessions.set(connection, session)
      session.listener = this.listener
      return session
    } catch (error) {
      if ((error as Error).name === 'KnexTimeoutError')
        throw new UnavailableError('No database connection is free', { cause: error })
      if (isLost(error)) throw new UnavailableError('The database cannot be reached', { cause: error })
      throw error
    }
  }

  release(session: DriverSession): void {
    void this.knex.client.releaseConnection(session.connection)
  }

  /** Runs `work` with a connection. One that broke meanwhile is thrown away. */
  async use<T>(work: (session: DriverSession) => Maybe<T>): Promise<T> {
    const session = await this.acquire()
    try {
      return await work(session)
    } catch (error) {
      if (!isLost(error)) throw refusedValue(error) ?? error
      discard(session.connection, error)
      throw new UnavailableError('The connection to the database was lost', { cause: error })
    } finally {
      this.release(session)
    }
  }

  close(): Promise<void> {
    return this.knex.destroy()
  }
}
