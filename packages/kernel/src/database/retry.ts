// Retries transactions after conflicts, a few times, with jitter.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../errors.ts'
import { meaningOf } from './meaning.ts'
import { unavailable } from './unavailable.ts'

const attempts = 5

/** Whether the error is a conflict that may pass. */
export function isTransient(error: unknown): boolean {
  return error instanceof CollisionError || meaningOf(error)?.kind === 'conflict'
}

/** Whether the connection was lost or could not be opened. */
export function isLost(error: unknown): boolean {
  return meaningOf(error)?.kind === 'lost'
}

/** Two transactions collided and neither is at fault: the later one runs again and sees the changes of the other. */
export class CollisionError extends Error {}

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
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** Most milliseconds between two attempts of a write while another process writes. */
const longestPause = 8

/** So many attempts follow without a pause, because writes of other processes take about a millisecond. */
const quickAttempts = 3

/**
 * Runs `work` on a database with a single writer until it succeeds, fails for good, or `deadline` (of
 * performance.now()) has passed, which throws UnavailableError. It waits here, where the event loop is free, and not
 * inside the database. A collision without another writer does not pass by waiting, so collisions are retried only a
 * few times. `mayRepeat` returns whether failed work may run again.
 */
export async function retryUntil<T>(deadline: number, work: () => Promise<T>, mayRepeat = () => true): Promise<T> {
  let collisions = 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || !mayRepeat()) throw error
      if (error instanceof CollisionError) collisions++
      if (performance.now() >= deadline || collisions > attempts)
        throw new UnavailableError('The database is busy', { cause: error })
      if (attempt < quickAttempts) await nextTurn()
      else await sleep(1 + Math.random() * Math.min(longestPause, attempt))
    }
  }
}
