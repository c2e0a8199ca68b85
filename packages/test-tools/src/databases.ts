/**
 * Selects the databases that tests run on, and creates a fresh one for each test. DATABASES=sqlite,mysql,postgres
 * requires them: a missing one is then an error. Without it, tests run on those that answer. `node
 * packages/test-tools/src/databases.ts` prints which do not, and whether there is a Redis; arguments are a command, which it
 * runs with those that answer in DATABASES.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMysql, openPostgres, openSqlite, type Opened } from './connections.ts'
import { needsRedis } from './redis.ts'

export const clients = ['sqlite', 'mysql', 'postgres'] as const
export type Client = (typeof clients)[number]

/** The database that the tests of this process run on: SQLite, or TEST_DATABASE. */
export const testClient = (): Client => (process.env.TEST_DATABASE as Client | undefined) ?? 'sqlite'

/** The addresses of the servers; their users may create databases. */
const servers = {
  mysql: new URL(process.env.PLINTH_MYSQL ?? 'mysql://root@127.0.0.1:3306'),
  postgres: new URL(process.env.PLINTH_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432'),
}

/** A database that is created for one test or one replayed suite. */
export interface TestDatabase {
  readonly client: Client
  /** The content of an application's `config/database` for it. */
  readonly config: { readonly client: Client; readonly connection: Readonly<Record<string, unknown>> }
  /** The same as v4's environment variables, for a server in a process of its own. */
  readonly env: Readonly<Record<string, string>>
  /** Opens a connection separate from Plinth's, which returns values as the driver reads them. */
  open(): Promise<Opened>
  drop(): Promise<void>
}

/** Creates an empty database with v4's usual collation: case-insensitive on MariaDB, by code points elsewhere. */
export async function freshDatabase(client: Client): Promise<TestDatabase> {
  if (client === 'sqlite') return freshFile()
  const server = servers[client]
  const name = `plinth_test_${process.pid}_${Date.now().toString(36)}_${made++}`
  const create =
    client === 'mysql'
      ? `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`
      : `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'`
  await administer(client, create)
  const connection = { ...connectionOf(server), database: name }
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
    // A failed test may have left connections open.
    drop: () => administer(client, `DROP DATABASE ${name}${client === 'postgres' ? ' WITH (FORCE)' : ''}`),
  }
}

let made = 0

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

function connectionOf(server: URL) {
  return {
    host: server.hostname,
    port: Number(server.port),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
  }
}

async function administer(client: 'mysql' | 'postgres', sql: string): Promise<void> {
  const connection = connectionOf(servers[client])
  const opened = client === 'mysql' ? await openMysql(connection) : await openPostgres(connection)
  try {
    await opened.run(sql)
  } finally {
    await opened.close()
  }
}

/** The fault of a server; null if it answers. */
async function fault(client: Client): Promise<string | null> {
  if (client === 'sqlite') return null
  try {
    await administer(client, 'SELECT 1')
    return null
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return `${client}: ${code ?? message} at ${servers[client].host}`
  }
}

function isClient(name: string): name is Client {
  return (clients as readonly string[]).includes(name)
}

/** The clients to run on, and why not on the others. Throws if a required one does not answer. */
async function choose(): Promise<{ run: readonly Client[]; left: readonly string[] }> {
  const demanded = process.env.DATABASES?.split(',').map(name => name.trim())
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

/** The clients that tests run on. */
export async function databases(): Promise<readonly Client[]> {
  chosen ??= choose()
  return (await chosen).run
}

/**
 * Runs a command with the databases in its environment, so that cached results of runs on other databases do not apply.
 */
async function tell(run: readonly Client[], [program, ...words]: readonly string[]): Promise<void> {
  // Hundreds of test files load the same modules, each in a process of its own.
  const NODE_COMPILE_CACHE = join(process.cwd(), 'node_modules/.cache/tests')
  const env = { NODE_COMPILE_CACHE, ...process.env, DATABASES: run.join() }
  const child = spawn(program!, words, { env, stdio: 'inherit', shell: process.platform === 'win32' })
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })
}

if (import.meta.main) {
  const { run, left: databasesLeft } = await choose()
  const { skip } = await needsRedis()
  const left = [...databasesLeft, ...(skip === false ? [] : [skip])]
  console.log(`Tests run on ${run.join(', ')}${left.length > 0 ? `; not on ${left.join('; ')}` : ''}.`)
  const command = process.argv.slice(2)
  if (command.length > 0) await tell(run, command)
}
