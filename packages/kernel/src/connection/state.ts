// Marks the errors that say something of the whole database, such as that it is away or full, and not of one statement.
// Does not log.

import { UnavailableError } from '../errors.ts'

/** A state that keeps a database from answering. */
export interface DatabaseState {
  /** The sentence for the log. Errors with the same one belong together. */
  readonly says: string
  /** True if only writes are refused, so that a read does not show that the state is over. */
  readonly isOfWrites: boolean
}

const away: DatabaseState = { says: 'The database cannot be reached', isOfWrites: false }
const noFreeConnection: DatabaseState = { says: 'No database connection is free', isOfWrites: false }

const states = new WeakMap<object, DatabaseState>()

/** Marks an error. */
export function markState<Marked extends UnavailableError>(error: Marked, state: DatabaseState): Marked {
  states.set(error, state)
  return error
}

/** The error of a server that is away or silent. */
export function awayError(message: string, cause?: unknown): UnavailableError {
  return markState(new UnavailableError(message, { cause }), away)
}

/** The error of a caller for whom no connection became free in time, for one because the server hangs. */
export function takenError(message = noFreeConnection.says, cause?: unknown): UnavailableError {
  return markState(new UnavailableError(message, { cause, isOverload: true }), noFreeConnection)
}

/** The number of errors that are examined: an error and its causes. */
const depth = 4

/** An error that stands for a state. */
export interface MarkedError {
  readonly error: object
  readonly state: DatabaseState
}

/** The first of an error and its causes that stands for a state; null if none does. */
export function markedError(error: unknown): MarkedError | null {
  for (let i = 0, one = error; i < depth && typeof one === 'object' && one !== null; i++) {
    const state = states.get(one)
    if (state !== undefined) return { error: one, state }
    one = (one as { readonly cause?: unknown }).cause
  }
  return null
}
