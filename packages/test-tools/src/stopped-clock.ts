// Stops the clock for tests that count statements of SQLite: a read that the busy machine delays runs again, in a process of
// its own.

import type { Test } from 'tap'

/** Stops `performance.now` until the test ends. Timers go on. */
export function stopClock(t: Test): void {
  const { now } = performance
  const time = performance.now()
  performance.now = () => time
  t.teardown(() => {
    performance.now = now
  })
}
