// Errors of databases that mean "not now": time limits, full disks, read-only servers, exhausted resources. They become
// a 503 or a 507 with Retry-After. Conflicts, which are retried, and lost connections are handled in retry.ts.

import { InsufficientStorageError, UnavailableError } from '../errors.ts'
import { meaningOf } from './meaning.ts'

/** The 503 or 507 for an error that says that the server cannot do this now; null for all other errors. */
export function unavailable(error: unknown): UnavailableError | null {
  const { message, isStorage } = meaningOf(error) ?? {}
  if (message === undefined) return null
  const options = { cause: error }
  return isStorage === true ? new InsufficientStorageError(message, options) : new UnavailableError(message, options)
}

/** Whether the connection of the error is of no more use, although another one may be. */
export function spoilsConnection(error: unknown): boolean {
  return meaningOf(error)?.isOfConnection === true
}
