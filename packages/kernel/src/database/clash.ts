// What a database says where an index or a foreign key refused a row, and what that means for a transaction.

import { CollisionError } from './retry.ts'

/** The errors of all drivers, as far as they tell something. */
export type DriverError = Error & { readonly code?: unknown; readonly detail?: unknown }

/** Did a unique index refuse the row? */
export function isClash(error: unknown): error is DriverError {
  return /^SQLITE_CONSTRAINT_UNIQUE$|^ER_DUP_ENTRY$|^23505$/.test(String((error as DriverError).code))
}

/** Did a foreign key refuse the row: what it points at is gone, or something points at it? */
export function isOrphan(error: unknown): boolean {
  const code = String((error as DriverError).code)
  return /^SQLITE_CONSTRAINT_FOREIGNKEY$|^ER_(NO_REFERENCED_ROW|ROW_IS_REFERENCED)(_2)?$|^23503$/.test(code)
}

/**
 * Runs what was checked before: what is refused all the same is what somebody else wrote or deleted meanwhile, and the next
 * attempt sees it. Throws CollisionError.
 */
export async function collides<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isClash(error) || isOrphan(error) ? new CollisionError('writes met', { cause: error }) : error
  }
}
