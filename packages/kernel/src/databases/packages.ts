// The npm packages of the databases. An application installs the one that it uses; the kernel depends on none.

import { StartError } from '../errors.ts'
import { missingPackage } from '../registration/missing-package.ts'
import type { ResolvedDatabase } from './config.ts'

/** By client. */
const packages: Readonly<Record<ResolvedDatabase['client'], string>> = {
  sqlite: 'better-sqlite3',
  mysql: 'mysql2',
  postgres: 'pg',
}

/** Loads the package of a client. Throws StartError if it is not installed. */
export async function requirePackage(client: ResolvedDatabase['client']): Promise<void> {
  const name = packages[client]
  try {
    await import(name)
  } catch (error) {
    // One of its own dependencies may be missing instead.
    if (missingPackage(error) !== name) throw error
    throw new StartError(
      'PLINTH_DATABASE_DRIVER',
      `config/database: the client "${client}" needs the package ${name}: npm install ${name}`,
      { cause: error },
    )
  }
}
