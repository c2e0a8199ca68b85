// What it means for a transaction that an index or a foreign key refused a row.

import { errorsOf, meaningOf, type UniqueColumns } from './meaning.ts'
import { CollisionError } from './retry.ts'

/** Did a unique index refuse the row? */
export function isClash(error: unknown): boolean {
  return meaningOf(error)?.kind === 'duplicate'
}

/** Was it the unique index of these columns? False also where the database says too little. */
export function isClashOf(error: unknown, columns: UniqueColumns): boolean {
  return errorsOf(error)?.names(error, columns) === true
}

/** Did a foreign key refuse the row: what it points at is gone, or something points at it? */
export function isOrphan(error: unknown): boolean {
  return meaningOf(error)?.kind === 'orphan'
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
