// Conflicts between transactions are nobody's fault: the whole transaction runs again, a few times, with jitter.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../errors.ts'
import { unavailable } from './unavailable.ts'

const attempts = 5
const transient = new Set([
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'ER_AUTOINC_READ_FAILED',
  '40001',
  '40P01',
  '55P03',
])

/** The connection is gone or was never there: what the operating system, mysql2 and PostgreSQL call it. */
const lost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_CONNECTION_KILLED',
  'ER_NORMAL_SHUTDOWN',
  '25P03',
  '25P04',
  '57P05',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08003',
  '08001',
  '08004',
])

/** MariaDB's "connection was killed", for which mysql2 has no name. */
const killed = 1927

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Is the error a conflict that may pass? */
export function isTransient(error: unknown): boolean {
  return transient.has(codeOf(error)) || error instanceof CollisionError
}

/** Has the connection gone? */
export function isLost(error: unknown): boolean {
  const { message, fatal, errno } = error as Error & { fatal?: unknown; errno?: unknown }
  // mysql2 says `fatal` of what ends a connection; pg gives no code where the server closed the socket.
  return (
    fatal === true ||
    errno === killed ||
    lost.has(codeOf(error)) ||
    /^Connection terminated|not queryable$|^timeout expired$/.test(message ?? '')
  )
}

/** Two writes met where neither did wrong: the later one begins anew and sees what the other did. */
export class CollisionError extends Error {}

/** A lock that somebody else held for as long as the server was told to wait. */
const lockTimeouts = new Set(['ER_LOCK_WAIT_TIMEOUT', '55P03'])

/**
 * Runs `work` until it succeeds or fails for good; throws UnavailableError when conflicts do not end. `patience`: milliseconds
 * after which a lock that is held by somebody else is not waited for again.
 */
export async function retryConflicts<T>(work: () => Promise<T>, patience = Number.POSITIVE_INFINITY): Promise<T> {
  const began = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      const isOver = lockTimeouts.has(codeOf(error)) && performance.now() - began > patience * 0.9
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
