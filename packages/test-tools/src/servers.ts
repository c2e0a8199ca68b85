/**
 * The database servers that tests create their databases on, and the names of these databases: they say which process of
 * a run of tests they belong to. It must not know what the databases are for.
 */

import { openMysql, openPostgres } from './connections.ts'

export type ServerClient = 'mysql' | 'postgres'

/** The variables that name the servers which a run of tests has started for itself. */
export const ownServer = { mysql: 'TEST_MYSQL', postgres: 'TEST_POSTGRES' } as const

/** The address of a server; its user may create databases. */
function urlOf(client: ServerClient): URL {
  const own = process.env[ownServer[client]]
  if (own !== undefined) return new URL(own)
  return client === 'mysql'
    ? new URL(process.env.PLINTH_MYSQL ?? 'mysql://root@127.0.0.1:3306')
    : new URL(process.env.PLINTH_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432')
}

export function connectionOf(client: ServerClient) {
  const server = urlOf(client)
  return {
    host: server.hostname,
    port: Number(server.port),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
  }
}

async function onServer<T>(client: ServerClient, work: (opened: Awaited<ReturnType<typeof openMysql>>) => Promise<T>) {
  const connection = connectionOf(client)
  const opened = client === 'mysql' ? await openMysql(connection) : await openPostgres(connection)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** Runs a statement on a server, on a connection of its own. */
export async function administer(client: ServerClient, sql: string): Promise<void> {
  await onServer(client, opened => opened.run(sql))
}

/**
 * The process that runs tests: this one, or the one that has started this one as a program under test, which sets the
 * variable.
 */
const host = () => process.env.PLINTH_TEST_HOST ?? String(process.pid)

let nameCount = 0

/** A name for a new database, which no other process makes. */
export function makeName(): string {
  return `plinth_test_${host()}_${process.pid}_${Date.now().toString(36)}_${nameCount++}`
}

/** The id of the process that made the database of this name. */
export function ownerOf(name: string): number {
  return Number(name.split('_')[3])
}

/** The databases on a server of a process that runs tests, by default this one, and of the programs that it has started. */
export async function databasesOf(client: ServerClient, process = host()): Promise<string[]> {
  const pattern = `'plinth\\_test\\_${process}\\_%'`
  const query =
    client === 'mysql'
      ? `SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE ${pattern}`
      : `SELECT datname AS name FROM pg_database WHERE datname LIKE ${pattern}`
  const rows = await onServer(client, opened => opened.all(query))
  return rows.map(({ name }) => String(name))
}
