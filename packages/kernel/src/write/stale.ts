// Writes whose hooks have read what was changed before the write locked it: they run once more.

import type { Database } from '../database/database.ts'
import { StaleReadError, UnavailableError } from '../errors.ts'
import type { OpenWrite, WriteResult } from './write.ts'
import type { WriteLocks } from './write-locks.ts'

/** How far an attempt came: its write, once `preWrite` hooks have seen it. */
export interface Begun {
  write: OpenWrite | null
}

/**
 * Runs a write, and once more where what its hooks had read was changed meanwhile: then in a transaction that has locked what they
 * read, so that it cannot be stale again, however many others change it. Throws UnavailableError where it is all the same.
 */
export async function repeatStale(
  { database, locks }: { readonly database: Database; readonly locks: WriteLocks },
  attempt: (begun: Begun) => Promise<WriteResult>,
): Promise<WriteResult> {
  const begun: Begun = { write: null }
  try {
    return await attempt(begun)
  } catch (error) {
    if (!(error instanceof StaleReadError) || begun.write === null) throw error
  }
  const stale = begun.write
  try {
    return await database.transaction(async tx => {
      await locks.lockRead(tx, stale)
      return attempt(begun)
    })
  } catch (error) {
    if (!(error instanceof StaleReadError)) throw error
    throw new UnavailableError('The entry is changed all the time', { cause: error })
  }
}
