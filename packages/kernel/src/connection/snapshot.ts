// Runs reads that all see the database as it is at the first of them. Knows no pool.

import type { Knex } from 'knex'
import type { DriverSession } from './connection-driver.ts'

/** The tools that a snapshot needs besides its session. */
export interface SnapshotTools {
  readonly knex: Knex
  /** The statements that begin it. */
  readonly begin: readonly string[]
}

/** Runs `work` between the statements that begin a snapshot and ROLLBACK, on the connection of `session`. */
export async function inSnapshot<T>(
  { knex, begin }: SnapshotTools,
  session: DriverSession,
  work: () => Promise<T>,
): Promise<T> {
  // By knex: the drivers' own sessions prepare statements, and MySQL prepares none that begins a transaction.
  for (const text of begin) await knex.raw(text).connection(session.connection)
  const end = async () => knex.raw('ROLLBACK').connection(session.connection)
  let result: T
  try {
    result = await work()
  } catch (error) {
    // On a connection that is lost this fails, too; what matters is the first error.
    await end().catch(() => {})
    throw error
  }
  await end()
  return result
}
