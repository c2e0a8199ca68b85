// The npm packages of the databases. An application installs the one that it uses; the kernel depends on none.

import { StartError } from '../errors.ts'
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
    if (!isMissing(error, name)) throw error
    throw new StartError(
      'PLINTH_DATABASE_DRIVER',
      `config/database: the client "${client}" needs the package ${name}: npm install ${name}`,
      { cause: error },
    )
  }
}

/** Whether this package is missing, and not one of its dependencies. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`'${name}'`)
}
