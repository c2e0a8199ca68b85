// The optimistic lock of writes: a write runs once more if a row that its hooks have read was changed before the write
// locked it.

import type { Database } from '../database/database.ts'
import { StaleRowError, UnavailableError } from '../errors.ts'
import type { Input } from './parse.ts'
import type { OpenWrite, WriteResult } from './open-write.ts'
import type { WriteLocks } from './write-locks.ts'

/** The progress of an attempt. */
export interface Begun {
  /** The write, after its `preWrite` hooks have run; null before. */
  write: OpenWrite | null
  /** The advisory locks that it needs. */
  names: readonly string[]
  /** What it writes; null before it is parsed. */
  input: Input | null
}

/** An attempt that has run its `preWrite` hooks. */
export type StaleWrite = Begun & { readonly write: OpenWrite }

/** Whether an attempt failed because a row that its hooks had read was changed in between. */
export function isStale(error: unknown, begun: Begun): begun is StaleWrite {
  return error instanceof StaleRowError && begun.write !== null
}

/**
 * Runs a write once more, in a transaction that has locked the rows that the hooks of the first attempt have read, so
 * that no other write can change them. Throws UnavailableError if the attempt is stale all the same.
 */
export async function repeatStale(
  { database, locks }: { readonly database: Database; readonly locks: WriteLocks },
  { write, names }: StaleWrite,
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
