// Runs a transaction again after conflicts, a few times, with jitter. Knows no connections.

import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient, meaningOf, UnavailableError, unavailable } from '@plinth/kernel/database'

const attempts = 5

/**
 * Runs `work` until it succeeds or fails for good. Throws UnavailableError if conflicts do not end. After `waitTimeout`
 * milliseconds it does not wait again for a lock of another transaction.
 */
export async function retryConflicts<T>(work: () => Promise<T>, waitTimeout = Number.POSITIVE_INFINITY): Promise<T> {
  const began = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      const isOver = meaningOf(error)?.isLockTimeout === true && performance.now() - began > waitTimeout * 0.9
      if (isOver || attempt > attempts)
        throw unavailable(error) ?? new UnavailableError('The database is busy', { cause: error })
      // A foreign key waits for the transactions that its answer depends on, so these have ended.
      const hasWaited = attempt === 1 && meaningOf((error as Error).cause)?.kind === 'orphan'
      if (!hasWaited) await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}
