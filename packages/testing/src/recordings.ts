// What was recorded of a real Strapi v4 and lies in `contract`, for the tests of other packages: the content model of the
// suites, and copies of the database that Strapi left, on each client. The recorded one is never opened.

import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, freshDatabase, type TestDatabase } from './databases.ts'

const contract = join(import.meta.dirname, '../../../contract')
const recorded = join(contract, 'v4-database')

/** The application whose model the suites were recorded with. */
export const app = join(contract, 'app')

/** The project as Strapi had it; Plinth only reads it. */
export const project = join(recorded, 'project')

/** The suites recorded on a client: those that are answered alike everywhere, and what this database answers alone. */
export function suitesOf(client: Client): readonly string[] {
  const own = { sqlite: 'sqlite', mysql: 'mariadb', postgres: 'postgres' }[client]
  return ['reads', 'writes', 'graphql', `differences-${own}`].map(name => join(recorded, `${name}.json`))
}

/** A fresh copy of the database. */
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
