// Long work beside others: it runs for some milliseconds, and then all that waits has its turn.

import { setImmediate as others } from 'node:timers/promises'

const length = 1

/** The turn of one piece of work. */
export class Turn {
  #ends = performance.now() + length

  /** Has the work run for long enough? */
  get isOver(): boolean {
    return performance.now() > this.#ends
  }

  /** Lets others run. */
  async next(): Promise<void> {
    await others()
    this.#ends = performance.now() + length
  }
}
