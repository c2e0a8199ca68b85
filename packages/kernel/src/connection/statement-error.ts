// Decides what a failed statement means: which error the caller receives, and whether its connection is used again. Knows
// no pool.

import { UnavailableError } from '../errors.ts'
import type { DriverSession } from './connection-driver.ts'
import { discard } from './knex-internals.ts'
import { note } from './meaning.ts'
import { refusedValue } from './refused.ts'
import { isLost, isTransient } from './retry.ts'
import { awayError } from './state.ts'
import { spoilsConnection, unavailable } from './unavailable.ts'

/** The error for a caller that repeats conflicts; these stay as they are. */
export function retryableError(session: DriverSession, error: unknown): unknown {
  return refusalOf(session, error) ?? (isTransient(error) ? null : unavailable(error)) ?? refusedValue(error) ?? error
}

/**
 * The error for a caller that repeats nothing: a conflict, too, is a 503. Errors that say nothing of the database, such as
 * those of unique indexes, stay those of the driver.
 */
export function finalError(session: DriverSession, error: unknown): unknown {
  const refusal = refusalOf(session, error) ?? unavailable(error)
  if (refusal !== null) return refusal
  return isTransient(error) ? new UnavailableError('The database is busy', { cause: error }) : error
}

/** The refusal of a connection that was given up; null if it goes on. Discards the connection if the error requires it. */
function refusalOf({ connection, usage, errors }: DriverSession, error: unknown): UnavailableError | null {
  const refusal = usage?.refusal ?? null
  if (refusal !== null) {
    refusal.cause ??= error
    return refusal
  }
  note(error, errors)
  if (isLost(error)) {
    discard(connection, error)
    return awayError('The connection to the database was lost', error)
  }
  if (spoilsConnection(error)) discard(connection, error)
  return null
}
