// Lends connections of the pool to knex, for statements of plugins outside of transactions (`kernel.knex`). They wait in
// the same queue as those of the kernel, are supervised like them, and their errors are classified like theirs.

import type { DriverSession } from './connection-driver.ts'
import { type KnexConnections, watchQueries } from './knex-internals.ts'
import { SessionWatch } from './session-watch.ts'
import { finalError } from './statement-error.ts'

/** The functions of the pool that are used. */
export interface Lender {
  acquire(): Promise<DriverSession>
  release(session: DriverSession): void
}

export class KnexSessions implements KnexConnections {
  readonly #pool: Lender
  readonly #note: (error: unknown) => unknown
  readonly #lent = new Map<object, DriverSession>()

  /** `note` is called with each error that a caller receives, and returns it. */
  constructor(pool: Lender, note: (error: unknown) => unknown) {
    this.#pool = pool
    this.#note = note
  }

  /** Throws UnavailableError if no connection becomes free in time or can be opened. */
  async acquire(): Promise<object> {
    const session = await this.#pool.acquire()
    const { connection } = session
    this.#lent.set(connection, session)
    watchQueries(
      connection,
      new SessionWatch(session, { isObserved: false, mapError: error => this.#note(finalError(session, error)) }),
    )
    return connection
  }

  release(connection: object): void {
    const session = this.#lent.get(connection)
    if (session === undefined) return
    this.#lent.delete(connection)
    watchQueries(connection, null)
    this.#pool.release(session)
  }
}
