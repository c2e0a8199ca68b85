// Writes whose hooks have read what was changed before the write locked it: they run once more.

import type { Database } from '../database/database.ts'
import { StaleRowError, UnavailableError } from '../errors.ts'
import type { OpenWrite, WriteResult } from './open-write.ts'
import type { WriteLocks } from './write-locks.ts'

/** How far an attempt came. */
export interface Begun {
  /** Once `preWrite` hooks have seen it. */
  write: OpenWrite | null
  /** The advisory locks that it needs. */
  names: readonly string[]
}

/** An attempt whose hooks have read something. */
export type StaleWrite = Begun & { readonly write: OpenWrite }

/** Did an attempt fail because what its hooks had read was changed meanwhile? */
export function isStale(error: unknown, begun: Begun): begun is StaleWrite {
  return error instanceof StaleRowError && begun.write !== null
}

/**
 * Runs a write once more: in a transaction that has locked what the hooks of the first attempt have read, so that it
 * cannot be stale again, however many others change it. Throws UnavailableError where it is all the same.
 */
export async function repeatStale(
  { database, locks }: { readonly database: Database; readonly locks: WriteLocks },
  { write, names }: StaleWrite,
  attempt: () => Promise<WriteResult>,
): Promise<WriteResult> {
  try {
    return await database.transaction(async tx => {
      // Before rows, as first attempts do, so that they do not wait for each other.
      if (names.length > 0) await tx.lockNames(names)
      await locks.lockRead(tx, write)
      return attempt()
    })
  } catch (error) {
    if (!(error instanceof StaleRowError)) throw error
    throw new UnavailableError('The entry is changed all the time', { cause: error })
  }
}
