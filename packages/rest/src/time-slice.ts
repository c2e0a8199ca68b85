// Long work beside other requests: it runs for a millisecond at a time, and what waits runs in between.

import { setImmediate as others } from 'node:timers/promises'

const length = 1

/** The time slices of one long task. */
export class TimeSlice {
  #ends = performance.now() + length

  /** Whether the task must pause. */
  get isOver(): boolean {
    return performance.now() > this.#ends
  }

  /** Lets others run, and begins another slice. */
  async next(): Promise<void> {
    await others()
    this.#ends = performance.now() + length
  }
}
