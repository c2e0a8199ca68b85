// Stops the clock of a process, for tests of what depends on the time. On SQLite, a read that the busy machine delays runs
// again, in a process of its own: tests that count statements stop the clock as well.

import type { Test } from 'tap'

/** A clock that does not run by itself. */
export interface StoppedClock {
  /** Sets the clock forward by so many milliseconds. */
  pass(milliseconds: number): void
  /** Lets the clock run again. */
  resume(): void
}

/** Stops `performance.now` until the test ends, or until `resume`. Timers go on. */
export function stopClock(t: Test): StoppedClock {
  const { now } = performance
  let time = performance.now()
  performance.now = () => time
  const resume = () => {
    performance.now = now
  }
  t.teardown(resume)
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  return { pass, resume }
}
