// The optimistic lock of writes: a write runs once more if a row that its hooks have read was changed before the write
// locked it.

import type { Database } from '../connection/database.ts'
import { StaleRowError, UnavailableError } from '../errors.ts'
import type { WriteResult } from './open-write.ts'
import type { OpenChange } from './opener.ts'
import type { WriteLocks } from './write-locks.ts'

/** The progress of the attempts of one write. */
export interface Progress {
  /** The write as it is ready for its transaction, after its `preWrite` hooks have run; null before. */
  change: OpenChange | null
}

/** A write whose `preWrite` hooks have run. */
export interface Begun {
  readonly change: OpenChange
}

/** Returns whether an attempt failed because a row that its hooks had read was changed in between. */
export function isStale(error: unknown, progress: Progress): progress is Begun {
  return error instanceof StaleRowError && progress.change !== null
}

/**
 * Runs a write once more, in a transaction that has locked the rows that the hooks of the first attempt have read, so
 * that no other write can change them. Throws UnavailableError if the attempt is stale all the same.
 */
export async function repeatStale(
  { database, locks }: { readonly database: Database; readonly locks: WriteLocks },
  { change: { write, names } }: Begun,
  attempt: () => Promise<WriteResult>,
): Promise<WriteResult> {
  try {
    return await database.transaction(async tx => {
      // Before the rows, as in first attempts, so that two attempts cannot deadlock.
      if (names.length > 0) await tx.lockNames(names)
      await locks.lockRead(tx, write)
      return attempt()
    })
  } catch (error) {
    if (!(error instanceof StaleRowError)) throw error
    throw new UnavailableError('The entry is changed too often by other writes', { cause: error })
  }
}
