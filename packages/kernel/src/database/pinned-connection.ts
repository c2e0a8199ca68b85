// A writing connection kept from the moment an update looks at its entry until it is done: no other writer of this process
// comes between the look and the change.

import type { DriverSession } from './driver.ts'
import type { Pool } from './pool.ts'

/** Takes one connection at most, and only when it is asked for. Work on it runs one after the other. */
export class PinnedConnection {
  readonly #pool: Pool
  #session: Promise<DriverSession> | null = null
  #isTaken = false
  #turns: Promise<unknown> = Promise.resolve()
  #isOpen = true

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** False once the work it was made for is done: what outlives it is on its own. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Was a connection asked for? */
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

  /** Waits for what still runs, then gives the connection back. */
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
