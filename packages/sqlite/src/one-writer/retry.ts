// Runs a write again while another process has the write lock, or after a collision. Knows no connections.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { CollisionError, isTransient, UnavailableError } from '@plinth/kernel/database'

/** Maximum milliseconds between two attempts of a write while another process writes. */
const longestPause = 8

/** This number of attempts follow without a pause, because writes of other processes take about a millisecond. */
const quickAttempts = 3

/** Maximum number of attempts after collisions. */
const maxCollisions = 5

/**
 * Runs `work` until it succeeds, fails for good, or `deadline` (of performance.now()) has passed, which throws
 * UnavailableError. It waits here, where the event loop is free, and not inside the database. A collision without another
 * writer does not pass by waiting, so collisions are retried only a few times. `mayRepeat` returns whether failed work may
 * run again.
 */
export async function retryUntil<T>(deadline: number, work: () => Promise<T>, mayRepeat = () => true): Promise<T> {
  let collisions = 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || !mayRepeat()) throw error
      if (error instanceof CollisionError) collisions++
      if (performance.now() >= deadline || collisions > maxCollisions)
        throw new UnavailableError('The database is busy', { cause: error })
      if (attempt < quickAttempts) await nextTurn()
      else await sleep(1 + Math.random() * Math.min(longestPause, attempt))
    }
  }
}
