// Conflicts between transactions are nobody's fault: the whole transaction runs again, a few times, with jitter.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../errors.ts'
import { meaningOf } from './meaning.ts'
import { unavailable } from './unavailable.ts'

const attempts = 5

/** Is the error a conflict that may pass? */
export function isTransient(error: unknown): boolean {
  return error instanceof CollisionError || meaningOf(error)?.kind === 'conflict'
}

/** Is the connection gone, or was it never there? */
export function isLost(error: unknown): boolean {
  return meaningOf(error)?.kind === 'lost'
}

/** Two writes met where neither did wrong: the later one begins anew and sees what the other did. */
export class CollisionError extends Error {}

/**
 * Runs `work` until it succeeds or fails for good; throws UnavailableError when conflicts do not end. `waitTimeout`: milliseconds
 * after which a lock that is held by somebody else is not waited for again.
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

/** Most milliseconds between two attempts of a write whose turn another process has. */
const longestPause = 8

/** So many attempts come without a pause: other processes' writes take a millisecond. */
const quickAttempts = 3

/**
 * Runs `work` where one writer works at a time, until it succeeds, fails for good, or `deadline` (of performance.now()) has
 * passed: an UnavailableError then. Waiting is done here, where others go on, and not inside the database. Collisions do not
 * end by waiting where nobody else writes: these are tried a few times. `mayRepeat` tells whether work that failed may run again.
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
