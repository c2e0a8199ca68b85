// Work that follows an answer: mails, and what must not make the answer to a known address slower than that to an unknown
// one (security.md row 62). It is bounded, its errors are logged, and the server waits for it when it closes.

import type { Logger } from '@plinth/kernel'

/** The maximum number of pieces of work that may be on their way. */
const maxPending = 1000

/** Runs work beside requests. */
export class Outbox {
  readonly #log: Logger
  readonly #pending = new Set<Promise<void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Begins `work`. `what` says in the log what failed. */
  add(what: string, work: () => Promise<unknown>): void {
    if (this.#pending.size >= maxPending) {
      this.#log.warn(`${what} was left out, because ${maxPending} others have not ended`)
      return
    }
    const running = this.#run(what, work).finally(() => this.#pending.delete(running))
    this.#pending.add(running)
  }

  /** Waits until there is no work. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }

  async #run(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#log.error(error, `${what} failed`)
    }
  }
}
