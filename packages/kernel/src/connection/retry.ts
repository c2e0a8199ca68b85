// Tells which errors of a transaction may pass if it runs again.

import { meaningOf } from './meaning.ts'

/** Returns whether the error is a conflict that may pass. */
export function isTransient(error: unknown): boolean {
  return error instanceof CollisionError || meaningOf(error)?.kind === 'conflict'
}

/** Returns whether the error says that the connection was lost or could not be opened. */
export function isLost(error: unknown): boolean {
  return meaningOf(error)?.kind === 'lost'
}

/** Two transactions collided and neither is at fault: the later one runs again and sees the changes of the other. */
export class CollisionError extends Error {}
