// Conflicts between transactions are nobody's fault: the whole transaction runs again, a few times, with jitter.

import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../errors.ts'

const attempts = 5
const transient = new Set([
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  '40001',
  '40P01',
])

/** Is the error a conflict that may pass? */
export function isTransient(error: unknown): boolean {
  return transient.has(String((error as { code?: unknown } | null)?.code))
}

/** Runs `work` until it succeeds or fails for good; throws UnavailableError when conflicts do not end. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      if (attempt > attempts) throw new UnavailableError('The database is busy')
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}
