// Gives packages the open database of a kernel, for statements that the kernel's own reads and writes do not have. Knows
// neither the model nor a kind of database.

import type { Database } from './database.ts'

/** The part of an open database that other packages use. */
export type OpenDatabase = Pick<
  Database,
  'place' | 'dialect' | 'ddl' | 'knex' | 'current' | 'read' | 'readSnapshot' | 'readUnlimited' | 'transaction'
>

/** The part of a kernel that has its database. */
export interface WithDatabase {
  /** The folder of the application. */
  readonly dir: string
  /** @internal */
  readonly database: Database
}

/** Returns the database of a kernel. Throws UsageError if only the model is loaded. */
export function databaseOf(kernel: WithDatabase): OpenDatabase {
  return kernel.database
}
