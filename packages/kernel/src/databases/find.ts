// Finds the package of a database by the client that config/database names. Knows the names that v4 has for clients, and
// no database.

import { pathToFileURL } from 'node:url'
import { StartError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { findPackage } from '../registration/find-package.ts'
import type { DatabaseDefinition, DatabasePackage } from './definition.ts'

/** The names of databases by v4's names of clients. */
const namesOfV4 = {
  sqlite: 'sqlite',
  'better-sqlite3': 'sqlite',
  mysql: 'mysql',
  mysql2: 'mysql',
  postgres: 'postgres',
  postgresql: 'postgres',
  pg: 'postgres',
}

/** A client of v4. */
export type ClientOfV4 = keyof typeof namesOfV4

/** The client without a setting and without DATABASE_CLIENT. */
export const defaultClient: ClientOfV4 = 'sqlite'

/** The databases whose packages belong to Plinth. */
const own = [...new Set(Object.values(namesOfV4))]

const isClientOfV4 = (client: string): client is ClientOfV4 => Object.hasOwn(namesOfV4, client)

/**
 * Loads the definition of a database. `client` is what config/database of the application in `dir` names. Throws
 * StartError if the client is unknown (PLINTH_CONFIG_INVALID) or its package is not installed (PLINTH_DATABASE_DRIVER).
 */
export async function findDatabase(client: string, dir: string): Promise<DatabaseDefinition> {
  const name = isClientOfV4(client) ? namesOfV4[client] : client
  // Anything else would be a path.
  const packages = /^[a-z][a-z0-9-]*$/.test(name) ? [`@plinth/${name}`, `plinth-database-${name}`] : []
  for (const packageName of packages) {
    const file = findPackage(packageName, dir)
    if (file === null) continue
    const { default: exported } = (await import(pathToFileURL(file).href)) as { default?: Partial<DatabasePackage> }
    if (exported?.database !== undefined) return exported.database
  }
  if (own.includes(name)) {
    throw new StartError(
      'PLINTH_DATABASE_DRIVER',
      `config/database: the client "${name}" needs the package @plinth/${name}: npm install @plinth/${name}`,
    )
  }
  throw new StartError('PLINTH_CONFIG_INVALID', `config/database: client "${client}" is not known${hintFor(client)}`)
}

function hintFor(client: string): string {
  const near = suggestion(client, own)
  if (near !== '') return near
  return `; the known names are ${own.join(', ')}, and those of packages that are installed: plinth-database-<name>`
}
