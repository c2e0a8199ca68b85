// One process changes a database at a time; the other ones wait, and then look again. What holds the lock goes with its
// connection: a killed process holds nothing.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { Rows, Transaction } from '../database/session.ts'
import { StartError } from '../errors.ts'

/** How long one process waits for another, in seconds. */
const patience = 600

/** What takes the lock within a transaction, and what gives it back where the end of the transaction does not. */
export const lockTexts = {
  // BEGIN IMMEDIATE has taken it.
  sqlite: { take: null, release: null },
  // Changes of tables commit, the connection's lock stays.
  mysql: {
    take: `SELECT GET_LOCK(CONCAT('plinth_', MD5(DATABASE())), ${patience})`,
    release: `SELECT RELEASE_LOCK(CONCAT('plinth_', MD5(DATABASE())))`,
  },
  postgres: { take: `SELECT 1 FROM (SELECT pg_advisory_xact_lock(1886153332)) x`, release: null },
} as const

/** Throws where the lock was not given in time. */
export function checkLock(rows: Rows): void {
  if (Number(rows[0]?.[0]) !== 1)
    throw new StartError(
      'PLINTH_MIGRATION_LOCKED',
      `another process has been changing the database for ${patience / 60} minutes`,
    )
}

/** Runs `work` in a transaction that no other process's runs beside. */
export async function underLock<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { take, release } = lockTexts[database.dialect.name]
  return untilFree(() =>
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

/** SQLite gives up where another process writes; that one may be at it for minutes. */
export async function untilFree<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + patience * 1000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error
      await sleep(100)
    }
  }
}

function isBusy(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return /^SQLITE_BUSY|^SQLITE_LOCKED/.test(code ?? cause?.code ?? '')
}
