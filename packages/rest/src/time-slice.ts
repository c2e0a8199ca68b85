// Divides a long task into slices of a millisecond, and lets other work run between them.

import { setImmediate as others } from 'node:timers/promises'

const length = 1

/** The time slices of one long task. */
export class TimeSlice {
  #ends = performance.now() + length

  /** Returns whether the task must pause. */
  get isOver(): boolean {
    return performance.now() > this.#ends
  }

  /** Yields to the event loop, and begins another slice. */
  async next(): Promise<void> {
    await others()
    this.#ends = performance.now() + length
  }
}
