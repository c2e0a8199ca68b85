// Lets a few pieces of work run at once. Others wait in the order of arrival, and too many are refused. Knows nothing of the
// work.

import { UnavailableError } from '@plinth/kernel'

export interface TurnOptions {
  readonly maxRunning: number
  readonly maxWaiting: number
  /** For whom is refused. */
  readonly message: string
}

export class Turns {
  readonly #options: TurnOptions
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: TurnOptions) {
    this.#options = options
  }

  /** Runs `work` when it is its turn. Throws UnavailableError if too many wait, and the reason of a signal that aborts. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    if (this.#running < this.#options.maxRunning) this.#running++
    else await this.#wait(signal)
    try {
      return await work()
    } finally {
      // The place goes to the next one, so that no later arrival takes it.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.#options.maxWaiting)
      return Promise.reject(new UnavailableError(this.#options.message, { retryAfter: 5 }))
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal.reason)
      }
      this.#waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
