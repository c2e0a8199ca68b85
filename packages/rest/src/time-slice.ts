// Divides a long task into slices of a millisecond, and lets other work run between them.

import { nextSlice } from '@plinth/server/transport'

const length = 1

/** The time slices of one long task. */
export class TimeSlice {
  #ends = performance.now() + length

  /** Returns whether the task must pause. */
  get isOver(): boolean {
    return performance.now() > this.#ends
  }

  /** Yields to the event loop until other long tasks have had their slices, and begins another one. */
  async next(): Promise<void> {
    await nextSlice()
    this.#ends = performance.now() + length
  }
}
