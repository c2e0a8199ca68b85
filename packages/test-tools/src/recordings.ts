// Provides the recordings of a real Strapi v4 in `contract` to the tests of other packages: the content model of the
// suites, and copies of v4's database on each client. The recorded database itself is never opened.

import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, freshDatabase, type TestDatabase } from './databases.ts'

const contract = join(import.meta.dirname, '../../../contract')
const recorded = join(contract, 'v4-database')

/** The application with the model of the recorded suites. */
export const app = join(contract, 'app')

/** The project as Strapi used it; Plinth only reads it. */
export const project = join(recorded, 'project')

/**
 * The suites recorded on a client: those with the same answers on all databases, and those with answers of this
 * database alone.
 */
export function suitesOf(client: Client): readonly string[] {
  const own = { sqlite: 'sqlite', mysql: 'mariadb', postgres: 'postgres' }[client]
  return ['reads', 'writes', 'graphql', `differences-${own}`].map(name => join(recorded, `${name}.json`))
}

/** Creates a fresh copy of the recorded database. */
export async function copyDatabase(client: Client): Promise<TestDatabase> {
  const database = await freshDatabase(client)
  if (client === 'sqlite') await copyFile(join(recorded, 'data.sqlite'), database.env.DATABASE_FILENAME!)
  else {
    const opened = await database.open()
    await opened.run(await readFile(join(recorded, client === 'mysql' ? 'mariadb.sql' : 'postgres.sql'), 'utf8'))
    await opened.close()
  }
  return database
}
