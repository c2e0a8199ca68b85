// All that the bench knows of Plinth: how to open it on a database file, and how to fill its tables.
// `node plinth.ts FILE DRAFTS` serves it and tells its parent the address it listens on.
import type { Kernel } from '@plinth/kernel'
import { createServer } from '@plinth/kernel/server'
import Database from 'better-sqlite3'
import type { Entries } from './data/entries.ts'
import { fillTable } from './data/table.ts'
import { v4Rows } from './data/v4-tables.ts'

/** The app of `./app` on a SQLite file; `listen` hears the kernel before its plugins register. */
export const openPlinth = (filename: string, drafts: boolean, listen?: (kernel: Kernel) => void) =>
  createServer({
    dir: new URL('./app', import.meta.url).pathname,
    database: { client: 'sqlite', connection: { filename } },
    plugins: { rest: true, 'draft-publish': drafts },
    logger: false,
    listen,
  })

/** Plinth makes the tables, then they are filled past it. */
export async function createPlinthDatabase(filename: string, entries: Entries, drafts: boolean): Promise<void> {
  const app = await openPlinth(filename, drafts)
  await app.ready()
  await app.close()
  const database = new Database(filename)
  database.transaction(() => {
    for (const [table, rows] of Object.entries(v4Rows(entries))) fillTable(database, table, rows)
  })()
  database.exec('ANALYZE')
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

if (process.argv[1] === import.meta.filename) {
  const [filename, drafts] = process.argv.slice(2)
  const app = await openPlinth(filename!, drafts === '1')
  // Plinth asks clients to open a new connection after so many requests; the load generator does not hear that.
  app.server.maxRequestsPerSocket = 0
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  // A profile is written at exit, not when a signal kills the process.
  process.on('SIGTERM', () => process.exit(0))
  process.send?.({ address })
}
