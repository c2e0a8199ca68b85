// Starts a MariaDB and a PostgreSQL for one run of all tests. Their files are in memory and they never wait for a disk,
// so they take two thirds of the processor's time of a server that must not lose anything. They end with this process.
// Knows nothing of tests.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMysql, openPostgres } from '../connections.ts'
import { freePort } from '../free-port.ts'
import type { ServerClient } from '../servers.ts'
import { hasRoomInMemory, memory } from './temporary.ts'

/** The space that the files of both servers and the temporary files of tests need at most, in bytes. */
const neededSpace = 3 * 2 ** 30

/** Milliseconds within which a server answers. */
const startTimeout = 30_000

/** A kind of server: the programs that make and start it. */
interface Kind {
  readonly client: ServerClient
  /** The program that makes the files, and the server. */
  readonly programs: readonly [make: string, serve: string]
  /** The account that runs it where this process is root's, because servers refuse that. */
  readonly account: string
  makeWords(folder: string): readonly string[]
  serveWords(folder: string, port: number): readonly string[]
  urlOf(port: number): string
  open(connection: { host: string; port: number; user: string; password: string }): Promise<{ close(): Promise<void> }>
  readonly user: string
  /** Ends the server at once. */
  readonly signal: NodeJS.Signals
}

const mariadb: Kind = {
  client: 'mysql',
  programs: ['mariadb-install-db', 'mariadbd'],
  account: 'mysql',
  makeWords: folder => ['--no-defaults', `--datadir=${folder}/data`, '--auth-root-authentication-method=normal'],
  serveWords: (folder, port) => [
    ...['--no-defaults', `--datadir=${folder}/data`, `--socket=${folder}/socket`, `--pid-file=${folder}/pid`],
    ...[`--port=${port}`, '--bind-address=127.0.0.1', '--skip-log-bin', '--skip-name-resolve'],
    ...['--character-set-server=utf8mb4', '--collation-server=utf8mb4_general_ci'],
    ...['--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync', '--innodb-doublewrite=0'],
    // A file for each table is most of what it costs to create one.
    ...['--innodb-file-per-table=0', '--sync-frm=0'],
  ],
  urlOf: port => `mysql://root@127.0.0.1:${port}`,
  open: openMysql,
  user: 'root',
  signal: 'SIGKILL',
}

const postgres: Kind = {
  client: 'postgres',
  programs: ['initdb', 'postgres'],
  account: 'postgres',
  makeWords: folder => [
    ...['-D', `${folder}/data`, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
  ],
  serveWords: (folder, port) => {
    const off = ['fsync', 'full_page_writes', 'synchronous_commit'].flatMap(name => ['-c', `${name}=off`])
    const addresses = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
    const ofFolder = ['-c', 'dynamic_shared_memory_type=mmap']
    return ['-D', `${folder}/data`, '-p', String(port), ...addresses, ...ofFolder, ...off]
  },
  urlOf: port => `postgres://postgres@127.0.0.1:${port}`,
  open: openPostgres,
  user: 'postgres',
  // It has processes, and memory that belongs to none of them.
  signal: 'SIGQUIT',
}

/** The folders of programs that are not among those of commands. */
const serverFolders = () => ['/usr/sbin', ...globSync('/usr/lib/postgresql/*/bin').sort().reverse()]

function findProgram(name: string): string | null {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...serverFolders()]) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // It is not in this folder.
    }
  }
  return null
}

/** The ids of the account that runs a server; none if this process is not root's. Null if there is no such account. */
function idsOf(account: string): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {}
  try {
    const id = (word: string) => Number(execFileSync('id', [word, account], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return null
  }
}

/**
 * Starts a server of each kind that is installed, and returns their addresses. A kind is missing where its programs, room
 * in memory or the account are, or if it does not start: then tests use the server that runs on the machine.
 */
export async function startOwnServers(clients: readonly ServerClient[]): Promise<ReadonlyMap<ServerClient, string>> {
  const urls = new Map<ServerClient, string>()
  if (!hasRoomInMemory(neededSpace)) return urls
  const kinds = [mariadb, postgres].filter(({ client }) => clients.includes(client))
  const started = await Promise.all(kinds.map(kind => start(kind).catch(() => null)))
  for (const [i, url] of started.entries()) if (url !== null) urls.set(kinds[i]!.client, url)
  return urls
}

async function start(kind: Kind): Promise<string | null> {
  const [make, serve] = kind.programs.map(findProgram)
  const ids = idsOf(kind.account)
  if (make == null || serve == null || ids === null) return null
  const folder = mkdtempSync(join(memory, `plinth-${kind.client}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    mkdirSync(join(folder, 'home'))
    if (ids.uid !== undefined) for (const path of [folder, join(folder, 'home')]) chownSync(path, ids.uid, ids.gid!)
    const options = {
      ...ids,
      cwd: folder,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
    } as const
    await once(spawn(make, kind.makeWords(folder), options), 'exit')
    const port = await freePort()
    const server = spawn(serve, kind.serveWords(folder, port), options)
    endWithProcess(server, kind.signal, remove)
    await untilAnswering(kind, port, server)
    return kind.urlOf(port)
  } catch (error) {
    remove()
    throw error
  }
}

/** Nothing of the server is kept, so it is not asked to end. */
function endWithProcess(server: ChildProcess, signal: NodeJS.Signals, remove: () => void): void {
  server.unref()
  process.once('exit', () => {
    server.kill(signal)
    remove()
  })
}

async function untilAnswering({ open, user }: Kind, port: number, server: ChildProcess): Promise<void> {
  const end = performance.now() + startTimeout
  for (;;) {
    try {
      const opened = await open({ host: '127.0.0.1', port, user, password: '' })
      return await opened.close()
    } catch (error) {
      if (server.exitCode !== null || performance.now() > end) throw error
      await sleep(100)
    }
  }
}
