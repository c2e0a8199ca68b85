// Errors of databases that mean "not now": time limits, full disks, read-only servers, exhausted resources. They become
// a 503 or a 507 with Retry-After. Conflicts, which are retried, and lost connections are handled in retry.ts.

import { InsufficientStorageError, UnavailableError } from '../errors.ts'
import { meaningOf } from './meaning.ts'
import { markState } from './state.ts'

/** The 503 or 507 for an error that says that the server cannot do this now; null for all other errors. */
export function unavailable(error: unknown): UnavailableError | null {
  const meaning = meaningOf(error)
  if (meaning?.message === undefined) return null
  const { kind, message, isStorage = false, isOfWrites = isStorage, isOfStatement = false, retryAfter = 1 } = meaning
  const options = { retryAfter, cause: error }
  const refusal = isStorage ? new InsufficientStorageError(message, options) : new UnavailableError(message, options)
  // A lock is one of an entry.
  if (kind === 'conflict' || isOfStatement) return refusal
  return markState(refusal, { says: message, isOfWrites })
}

/** Returns whether the connection of the error is of no more use, although another one may be. */
export function spoilsConnection(error: unknown): boolean {
  return meaningOf(error)?.isOfConnection === true
}
