// The connection on which a caller's writes run: one of the pool for each write, or one that an update has pinned. Begins
// no transactions.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { DriverSession, Pool } from '@plinth/kernel/database'
import { PinnedConnection } from './pinned-connection.ts'

/** Finds the connection for the writes of a caller. */
export class WriteConnection {
  readonly #pool: Pool
  readonly #pinned = new AsyncLocalStorage<PinnedConnection>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  get #here(): PinnedConnection | undefined {
    const pinned = this.#pinned.getStore()
    return pinned?.isOpen === true ? pinned : undefined
  }

  /** Returns whether the caller runs in withPinned(). */
  get isPinned(): boolean {
    return this.#here !== undefined
  }

  /** Returns whether the caller runs in withPinned() and has a connection. */
  get isTaken(): boolean {
    return this.#here?.isTaken === true
  }

  /** Runs `work` on the pinned connection, or on one of the pool, for which it waits that many milliseconds. */
  use<T>(work: (session: DriverSession) => Promise<T>, waitTimeout: number): Promise<T> {
    return this.#here?.run(work) ?? this.#pool.use(work, waitTimeout)
  }

  /** Pins the connection from its first use until `work` ends. */
  async withPinned<T>(work: () => Promise<T>): Promise<T> {
    const pinned = new PinnedConnection(this.#pool)
    try {
      return await this.#pinned.run(pinned, work)
    } finally {
      await pinned.close()
    }
  }
}
