/**
 * Selects the databases that tests run on, and creates a fresh one for each test. DATABASES=sqlite,mysql,postgres
 * requires them: a missing one is then an error. Without it, tests run on those that answer.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OpenConnection, openMysql, openPostgres, openSqlite } from './connections.ts'
import { administer, connectionOf, databasesOf, makeName, ownerOf, type ServerClient } from './servers.ts'

export const clients = ['sqlite', 'mysql', 'postgres'] as const
export type Client = (typeof clients)[number]

/** The database that the tests of this process run on: SQLite, or TEST_DATABASE. */
export const testClient = (): Client => (process.env.TEST_DATABASE as Client | undefined) ?? 'sqlite'

/** A database that is created for one test or one replayed suite. */
export interface TestDatabase {
  readonly client: Client
  /** The content of an application's `config/database` for it. */
  readonly config: { readonly client: string; readonly connection: Readonly<Record<string, unknown>> }
  /** The same as v4's environment variables, for a server in a process of its own. */
  readonly env: Readonly<Record<string, string>>
  /** Opens a connection separate from Plinth's, which returns values as the driver reads them. */
  open(): Promise<OpenConnection>
  drop(): Promise<void>
}

/** The database of a package from outside, on which tests run in place of one kind. */
export interface OutsideDatabase {
  /** The kind whose SQL it understands: tests that write SQL themselves take it for this one. */
  readonly client: Client
  /** Creates an empty database. */
  freshDatabase(): Promise<TestDatabase>
}

const outsidePath = process.env.PLINTH_TEST_DATABASE
/** The default export of the module that PLINTH_TEST_DATABASE names; null without it. */
const outside: OutsideDatabase | null =
  outsidePath === undefined ? null : (await import(pathToFileURL(resolve(outsidePath)).href)).default

/** Creates an empty database with v4's usual collation: case-insensitive on MariaDB, by code points elsewhere. */
export async function freshDatabase(client: Client): Promise<TestDatabase> {
  const database = await timed(() => create(client))
  const name = String(database.config.connection.filename ?? database.config.connection.database)
  inUse.add(name)
  return {
    ...database,
    async drop() {
      await timed(() => database.drop())
      inUse.delete(name)
    },
  }
}

function create(client: Client): Promise<TestDatabase> {
  if (outside?.client === client) return outside.freshDatabase()
  return client === 'sqlite' ? freshFile() : freshOnServer(client)
}

const inUse = new Set<string>()

/** Returns the databases that this process has created and not dropped since the last call. */
export function takeUndropped(): readonly string[] {
  const names = [...inUse]
  inUse.clear()
  return names
}

let spent = 0
/** Milliseconds that this process has spent on creating and dropping databases. */
export const databaseTime = (): number => spent

async function timed<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await work()
  } finally {
    spent += performance.now() - began
  }
}

/**
 * Databases of PostgreSQL that were emptied instead of dropped, because creating one takes a quarter of a second; null
 * in processes that drop them at once.
 */
let emptied: string[] | null = null

/** From now on, emptied databases are used again. The process must end with `dropReusable`. */
export function reuseDatabases(): void {
  emptied ??= []
}

/** Drops the databases that were kept for further tests. */
export async function dropReusable(): Promise<void> {
  const names = emptied ?? []
  emptied = null
  for (const name of names) await administer('postgres', dropping('postgres', name))
}

/** Drops the databases that programs started by this process have created and left, and returns their names. */
export async function dropLeftByChildren(): Promise<readonly string[]> {
  const left: string[] = []
  for (const client of await databases()) {
    if (client === 'sqlite') continue
    const names = (await databasesOf(client)).filter(name => ownerOf(name) !== process.pid)
    for (const name of names) await administer(client, dropping(client, name))
    left.push(...names)
  }
  return left
}

/** A failed test may have left connections open. */
const dropping = (client: ServerClient, name: string) =>
  `DROP DATABASE ${name}${client === 'postgres' ? ' WITH (FORCE)' : ''}`

/** No test ends the server, so a COMMIT need not wait for the disk. */
const withoutWaiting = (name: string) => `ALTER DATABASE ${name} SET synchronous_commit = off`

/** Removes all that a test may have left in a database of PostgreSQL, including connections and settings. */
async function empty(name: string): Promise<void> {
  const opened = await openPostgres({ ...connectionOf('postgres'), database: name })
  try {
    await opened.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`)
    const schemas = await opened.all(`SELECT quote_ident(nspname) AS name FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`)
    const drops = schemas.map(schema => `DROP SCHEMA ${schema.name} CASCADE`)
    await opened.run(
      [
        ...drops,
        'CREATE SCHEMA public',
        'GRANT USAGE ON SCHEMA public TO PUBLIC',
        `ALTER DATABASE ${name} RESET ALL`,
        withoutWaiting(name),
      ].join(';'),
    )
  } finally {
    await opened.close()
  }
}

async function dropOnServer(client: ServerClient, name: string): Promise<void> {
  if (client === 'postgres' && emptied !== null) {
    await empty(name)
    emptied.push(name)
    return
  }
  await administer(client, dropping(client, name))
}

async function createOnServer(client: ServerClient): Promise<string> {
  const reused = client === 'postgres' ? emptied?.pop() : undefined
  if (reused !== undefined) return reused
  const name = makeName()
  const create =
    client === 'mysql'
      ? `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`
      : `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'`
  await administer(client, create)
  if (client === 'postgres') await administer(client, withoutWaiting(name))
  return name
}

async function freshOnServer(client: ServerClient): Promise<TestDatabase> {
  const name = await createOnServer(client)
  const connection = { ...connectionOf(client), database: name }
  return {
    client,
    config: { client, connection },
    env: {
      DATABASE_CLIENT: client,
      DATABASE_HOST: connection.host,
      DATABASE_PORT: String(connection.port),
      DATABASE_NAME: name,
      DATABASE_USERNAME: connection.user,
      DATABASE_PASSWORD: connection.password,
    },
    open: () => (client === 'mysql' ? openMysql(connection) : openPostgres(connection)),
    drop: () => dropOnServer(client, name),
  }
}

async function freshFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  const filename = join(folder, 'data.db')
  return {
    client: 'sqlite',
    config: { client: 'sqlite', connection: { filename } },
    env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: filename },
    open: async () => openSqlite(filename),
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The fault of a server; null if it answers. */
async function fault(client: Client): Promise<string | null> {
  if (client === 'sqlite' || outside?.client === client) return null
  try {
    await administer(client, 'SELECT 1')
    return null
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return `${client}: ${code ?? message} at ${connectionOf(client).host}`
  }
}

function isClient(name: string): name is Client {
  return (clients as readonly string[]).includes(name)
}

/** The clients to run on, and why not on the others. Throws if a required one does not answer. */
async function choose(): Promise<{ run: readonly Client[]; left: readonly string[] }> {
  const demanded = (process.env.DATABASES ?? outside?.client)?.split(',').map(name => name.trim())
  for (const name of demanded ?? []) {
    if (!isClient(name)) throw new Error(`DATABASES: "${name}" is not known; the known names are ${clients.join(', ')}`)
  }
  const faults = await Promise.all(clients.map(fault))
  const missing = clients.flatMap((name, i) => (demanded?.includes(name) && faults[i] ? [faults[i]] : []))
  if (missing.length > 0) throw new Error(`A database that DATABASES names does not answer: ${missing.join('; ')}`)
  const run = clients.filter((name, i) => demanded?.includes(name) ?? faults[i] === null)
  const left = clients.flatMap((name, i) => (run.includes(name) ? [] : [faults[i] ?? `${name}: not in DATABASES`]))
  return { run, left }
}

let chosen: ReturnType<typeof choose> | undefined

/** Returns why tests do not run on the other databases, a line each. */
export async function leftDatabases(): Promise<readonly string[]> {
  chosen ??= choose()
  return (await chosen).left
}

/** The clients that tests run on. */
export async function databases(): Promise<readonly Client[]> {
  chosen ??= choose()
  return (await chosen).run
}
