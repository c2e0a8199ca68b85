// Group commit: writes that arrive together share one COMMIT, each as a part that can fail alone. What a COMMIT writes is
// whole pages, and neighbours touch the same ones: twenty creates cost little more of it than one.

import { AsyncLocalStorage } from 'node:async_hooks'

/** Most writes of one COMMIT: none waits long for the others. */
const largest = 32

/** A write that waits for its turn. */
export interface Waiting {
  /** Runs in the asynchronous context of whoever asked. */
  readonly enter: <T>(work: () => T) => T
  readonly work: (tx: never) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Collects what arrives in one turn of the event loop and hands it on together. */
export class CommitGroup {
  readonly #run: (group: readonly Waiting[]) => Promise<void>
  #waiting: Waiting[] = []
  #isRunning = false

  constructor(run: (group: readonly Waiting[]) => Promise<void>) {
    this.#run = run
  }

  /** Resolves after the COMMIT that holds the write. */
  add<T>(work: Waiting['work']): Promise<T> {
    return new Promise((resolve, reject) => {
      const enter = AsyncLocalStorage.snapshot() as Waiting['enter']
      this.#waiting.push({ enter, work, resolve: resolve as Waiting['resolve'], reject })
      if (this.#isRunning) return
      this.#isRunning = true
      // Requests that came in with this one are read before the next phase of the loop.
      setImmediate(() => void this.#drain())
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, largest)
      await this.#run(group).catch(error => {
        for (const one of group) one.reject(error)
      })
    }
    this.#isRunning = false
  }
}
