// Runs changes of the same entry one after the other. On a server, all but the first would wait for the lock of the
// row, each with a connection that other requests need; a change that waits here holds no connection. Depends on
// neither entries nor connections.

import { UnavailableError } from '../errors.ts'
import type { Maybe } from './session.ts'

interface Waiting {
  readonly enter: () => void
}

/** The keys in use, and the changes that wait for each. */
export class EntryQueue {
  /** Null if no change waits for the key. */
  readonly #taken = new Map<string, Set<Waiting> | null>()

  /**
   * Takes a key, which leave() releases: at once if it is free, otherwise after all earlier callers have released it.
   * Throws UnavailableError after `waitTimeout` milliseconds. No transaction may be open: a transaction that waits here
   * for a change that waits for one of its rows would be a deadlock.
   */
  enter(key: string, waitTimeout: number): Maybe<void> {
    const waiting = this.#taken.get(key)
    if (waiting !== undefined) return this.#wait(key, waiting ?? new Set(), waitTimeout)
    this.#taken.set(key, null)
  }

  /** Releases a key to the next caller that waits for it. */
  leave(key: string): void {
    const [next] = this.#taken.get(key) ?? []
    if (next === undefined) this.#taken.delete(key)
    else next.enter()
  }

  /** The number of keys in use. */
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
