// One process changes a database at a time; the other ones wait, and then look again. What holds the lock goes with its
// connection: a killed process holds nothing.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { MigrationLock } from '../database/ddl.ts'
import type { Rows, Transaction } from '../database/session.ts'
import { StartError } from '../errors.ts'

/** How long one process waits for another, in seconds. */
export const lockTimeoutSeconds = 600

/** Throws where the lock was not given in time. */
export function checkLock(rows: Rows): void {
  if (Number(rows[0]?.[0]) !== 1)
    throw new StartError(
      'PLINTH_MIGRATION_LOCKED',
      `another process has been changing the database for ${lockTimeoutSeconds / 60} minutes`,
    )
}

/** Runs `work` in a transaction that no other process's runs beside. */
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

/** Tries again where another process has the database without anybody waiting; that one may be at it for minutes. */
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
