// Lets one process at a time migrate a database; the others wait and then plan again. The lock is bound to a
// connection, so a killed process releases it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../connection/database.ts'
import type { MigrationLock } from '../connection/ddl.ts'
import type { Rows, Transaction } from '../connection/session.ts'
import { StartError } from '../errors.ts'

/** Seconds that one process waits for another. */
export const lockTimeoutSeconds = 600

/** Throws if the lock was not acquired in time. */
export function checkLock(rows: Rows): void {
  if (Number(rows[0]?.[0]) !== 1)
    throw new StartError(
      'PLINTH_MIGRATION_LOCKED',
      `Another process has held the migration lock of the database for ${lockTimeoutSeconds / 60} minutes`,
    )
}

/** Runs `work` in a transaction while no other process migrates the database. */
export async function underLock<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { lock } = database.ddl
  const take = lock.take(lockTimeoutSeconds)
  const { release } = lock
  return untilFree(lock, () =>
    database.transaction(
      async tx => {
        if (take !== null) checkLock(await tx.all(take, []))
        try {
          return await work(tx)
        } finally {
          if (release !== null) await tx.all(release, [])
        }
      },
      { isUnlimited: true },
    ),
  )
}

/** Runs `work` again while another process holds a lock for which the database does not wait; that may take minutes. */
export async function untilFree<T>(lock: MigrationLock, work: () => Promise<T>): Promise<T> {
  const end = Date.now() + lockTimeoutSeconds * 1000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!lock.isTaken(error) || Date.now() > end) throw error
      await sleep(100)
    }
  }
}
