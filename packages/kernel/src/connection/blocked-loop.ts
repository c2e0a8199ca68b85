// Repeats an attempt that reached its time limit while the event loop was blocked. Knows nothing of what is attempted.

import { performance } from 'node:perf_hooks'

/** The maximum number of attempts of one call. */
const maxAttempts = 3

/** The event loop counts as blocked if it was busy for more than this share of the time. */
const blockedShare = 0.5

/**
 * Returns the result of `attempt`. An attempt that took `limit` milliseconds or more and failed is repeated, twice at
 * most, if this process was busy with other work for most of that time: it could not read the answers, so the failure
 * says nothing about the other side. Throws the error of the last attempt.
 */
export async function repeatIfBlocked<T>(limit: number, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const began = performance.now()
    const usage = performance.eventLoopUtilization()
    try {
      return await attempt()
    } catch (error) {
      const isShort = performance.now() - began < limit
      if (attempts === maxAttempts || isShort || performance.eventLoopUtilization(usage).utilization < blockedShare)
        throw error
    }
  }
}
