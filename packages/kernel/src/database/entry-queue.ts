// Changes of one entry, one after the other: on a server all but the first would wait for its row, each with a connection that
// others need. Whoever waits here holds none. Knows neither entries nor connections.

import { UnavailableError } from '../errors.ts'

interface Waiting {
  readonly enter: () => void
}

/** Keys that are in use, and who waits for them. */
export class EntryQueue {
  readonly #taken = new Map<string, Set<Waiting>>()

  /**
   * Runs `work` once all that came before it for the same key has ended. Throws UnavailableError where that takes more than
   * `patience` milliseconds. `work` must not run for the same key in turn, and no transaction may be open: who waits here for
   * somebody that waits for a row of that transaction would wait in vain.
   */
  async run<T>(key: string, work: () => Promise<T>, patience: number): Promise<T> {
    const waiting = this.#taken.get(key)
    if (waiting === undefined) this.#taken.set(key, new Set())
    else await wait(waiting, patience)
    try {
      return await work()
    } finally {
      this.#leave(key)
    }
  }

  /** Keys in use. */
  get size(): number {
    return this.#taken.size
  }

  #leave(key: string): void {
    const waiting = this.#taken.get(key)!
    const [next] = waiting
    if (next === undefined) this.#taken.delete(key)
    else next.enter()
  }
}

function wait(all: Set<Waiting>, patience: number): Promise<void> {
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
    }, patience)
    all.add(waiting)
  })
}
