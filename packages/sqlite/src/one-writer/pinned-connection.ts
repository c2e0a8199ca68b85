// A write connection that an update keeps from its read of the entry until it is done, so that no other writer of this
// process comes between the read and the change.

import type { DriverSession, Pool } from '@plinth/kernel/database'

/** Takes at most one connection, at the first use. Work on it runs one after the other. */
export class PinnedConnection {
  readonly #pool: Pool
  #session: Promise<DriverSession> | null = null
  #isTaken = false
  #turns: Promise<unknown> = Promise.resolve()
  #isOpen = true

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** False once the work it was created for is done: code that outlives that work does not use it. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Returns whether a connection was requested. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  run<T>(work: (session: DriverSession) => Promise<T>): Promise<T> {
    this.#isTaken = true
    const turn = this.#turns.then(async () => {
      this.#session ??= this.#pool.acquire()
      return work(await this.#session)
    })
    this.#turns = turn.catch(() => {})
    return turn
  }

  /** Waits for running work, then releases the connection. */
  async close(): Promise<void> {
    this.#isOpen = false
    if (!this.#isTaken) return
    await this.#turns
    if (this.#session !== null)
      await this.#session.then(
        session => this.#pool.release(session),
        () => {},
      )
  }
}
