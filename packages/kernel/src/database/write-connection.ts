// The connections on which a caller's writes run: one of the pool for each write, or one that an update has pinned. Also
// runs reads on them. Does not begin transactions.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { unlockNames } from './bracket.ts'
import type { DriverSession } from './driver.ts'
import { PinnedConnection } from './pinned-connection.ts'
import type { Pool } from './pool.ts'
import type { Maybe, Session } from './session.ts'
import { RunningTransaction } from './transaction.ts'
import { unavailable } from './unavailable.ts'

/** What write connections use of the database. */
export interface WriteDatabase {
  readonly knex: Knex
  readonly pool: Pool
  /** Milliseconds that a write waits for a connection. */
  readonly waitTimeout: number
  /** Runs `work` with `tx` as the current transaction. */
  enter<T>(tx: RunningTransaction, work: () => T): T
  /** Calls the functions that were registered for after COMMIT. */
  runAfter(after: readonly (() => unknown)[]): Promise<void>
}

/** Finds the connection for the writes of a caller. */
export class WriteConnection {
  readonly #database: WriteDatabase
  readonly #pinned = new AsyncLocalStorage<PinnedConnection>()

  constructor(database: WriteDatabase) {
    this.#database = database
  }

  get #here(): PinnedConnection | undefined {
    const pinned = this.#pinned.getStore()
    return pinned?.isOpen === true ? pinned : undefined
  }

  /** Whether the caller runs in withPinned(). */
  get isPinned(): boolean {
    return this.#here !== undefined
  }

  /** Whether the caller runs in withPinned() and has a connection. */
  get isTaken(): boolean {
    return this.#here?.isTaken === true
  }

  /** Runs `work` on the pinned connection, or on one of the pool, for which it waits. */
  use<T>(work: (session: DriverSession) => Promise<T>, waitTimeout: number): Promise<T> {
    return this.#here?.run(work) ?? this.#database.pool.use(work, waitTimeout)
  }

  /** Pins the connection from its first use until `work` ends. */
  async withPinned<T>(work: () => Promise<T>): Promise<T> {
    const pinned = new PinnedConnection(this.#database.pool)
    try {
      return await this.#pinned.run(pinned, work)
    } finally {
      await pinned.close()
    }
  }

  /** Runs a read outside any transaction. Reads within `work` use the same connection. */
  async read<T>(work: (session: Session) => Maybe<T>): Promise<T> {
    const { knex, waitTimeout, enter, runAfter } = this.#database
    let after: readonly (() => unknown)[] = []
    try {
      const run = async (session: DriverSession) => {
        // Reads within `work` find this connection like that of a transaction.
        const here = new RunningTransaction(knex, session, null, true)
        try {
          return await enter(here, async () => work(here))
        } finally {
          await here.waitForSavepoints()
          here.isOpen = false
          here.end()
          if (session.holdsNames) await unlockNames(session)
          after = here.after
        }
      }
      return await this.use(run, waitTimeout)
    } catch (error) {
      throw unavailable(error) ?? error
    } finally {
      // The connection is released first, because these functions may need one.
      await runAfter(after)
    }
  }
}
