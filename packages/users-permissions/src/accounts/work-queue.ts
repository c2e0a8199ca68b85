// Runs expensive work one piece at a time, in the order of arrival, and refuses work when too much is waiting. It knows
// nothing of the work.

import { UnavailableError } from '@plinth/kernel'

/** The reason for which work is refused, and when a client may try again, in seconds. */
export interface QueueOptions {
  /** The maximum number of pieces that wait beside the one that runs. */
  readonly maxWaiting: number
  readonly message: string
  readonly retryAfter: number
}

/** A queue that runs one piece of work at a time. */
export class WorkQueue {
  readonly #options: QueueOptions
  #last: Promise<unknown> = Promise.resolve()
  #size = 0

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /** The result of `work`, once it is its turn. Throws UnavailableError if too much is waiting, and what `work` throws. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { maxWaiting, message, retryAfter } = this.#options
    if (this.#size > maxWaiting) return Promise.reject(new UnavailableError(message, { retryAfter }))
    this.#size++
    const result = this.#last.then(work).finally(() => {
      this.#size--
    })
    // The next piece begins whether this one succeeds or not.
    this.#last = result.catch(() => {})
    return result
  }
}
