// Changes of one entry, one after the other: on a server all but the first would wait for its row, each with a connection that
// others need. Whoever waits here holds none. Knows neither entries nor connections.

import { UnavailableError } from '../errors.ts'
import type { Maybe } from './session.ts'

interface Waiting {
  readonly enter: () => void
}

/** Keys that are in use, and who waits for them. */
export class EntryQueue {
  /** Null where nobody waits. */
  readonly #taken = new Map<string, Set<Waiting> | null>()

  /**
   * Takes a key, to be given back by leave(): at once where it is free, otherwise when all that came before have left it. Throws
   * UnavailableError where that takes more than `waitTimeout` milliseconds. No transaction may be open: who waits here for
   * somebody that waits for a row of that transaction would wait in vain.
   */
  enter(key: string, waitTimeout: number): Maybe<void> {
    const waiting = this.#taken.get(key)
    if (waiting !== undefined) return this.#wait(key, waiting ?? new Set(), waitTimeout)
    this.#taken.set(key, null)
  }

  /** Gives a key to whoever waits for it. */
  leave(key: string): void {
    const [next] = this.#taken.get(key) ?? []
    if (next === undefined) this.#taken.delete(key)
    else next.enter()
  }

  /** Keys in use. */
  get size(): number {
    return this.#taken.size
  }

  #wait(key: string, all: Set<Waiting>, waitTimeout: number): Promise<void> {
    this.#taken.set(key, all)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        enter: () => {
          clearTimeout(timer)
          all.delete(waiting)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        all.delete(waiting)
        reject(new UnavailableError('The entry is being changed by somebody else'))
      }, waitTimeout)
      all.add(waiting)
    })
  }
}
