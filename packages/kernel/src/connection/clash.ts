// Classifies errors of unique indexes and foreign keys in a transaction.

import { errorsOf, meaningOf, type UniqueColumns } from './meaning.ts'
import { CollisionError } from './retry.ts'

/** Returns whether a unique index refused the row. */
export function isClash(error: unknown): boolean {
  return meaningOf(error)?.kind === 'duplicate'
}

/**
 * Returns whether the unique index of these columns refused the row. Also false if the database's error does not name
 * the index.
 */
export function isClashOf(error: unknown, columns: UniqueColumns): boolean {
  return errorsOf(error)?.names(error, columns) === true
}

/** Returns whether a foreign key refused the row: the referenced row is gone, or another row refers to this one. */
export function isOrphan(error: unknown): boolean {
  return meaningOf(error)?.kind === 'orphan'
}

/**
 * Runs `work` whose values were checked before. If an index or a foreign key refuses a row all the same, another
 * transaction has written or deleted meanwhile, and the next attempt will see that. Throws CollisionError.
 */
export async function collides<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw collisionOf(error)
  }
}

/** The CollisionError for an error of such work; an error that no index and no foreign key has caused, itself. */
export function collisionOf(error: unknown): unknown {
  if (!isClash(error) && !isOrphan(error)) return error
  return new CollisionError('Another transaction changed the same rows', { cause: error })
}
