// All that the bench knows of Plinth: how to open it on a database, and how to fill its tables.
// `node plinth.ts TARGET DRAFTS` serves it and tells its parent the address it listens on; TARGET is JSON.
import type { Kernel } from '@plinth/kernel'
import { createServer } from '@plinth/kernel/server'
import type { Entries } from './data/entries.ts'
import { v4Tables } from './data/v4-tables.ts'
import type { Store, Target } from './store/store.ts'

/** The app of `./app` on a database; `listen` hears the kernel before its plugins register. */
export const openPlinth = (target: Target, drafts: boolean, listen?: (kernel: Kernel) => void) =>
  createServer({
    dir: new URL('./app', import.meta.url).pathname,
    database: target,
    plugins: { rest: true, 'draft-publish': drafts },
    logger: false,
    listen,
  })

/** Plinth makes the tables, then they are filled past it. */
export async function createPlinthDatabase(store: Store, entries: Entries, drafts: boolean): Promise<void> {
  const app = await openPlinth(await store.create('plinth'), drafts)
  await app.ready()
  await app.close()
  await store.fill('plinth', v4Tables(store.client, entries))
  await store.settle('plinth')
}

if (process.argv[1] === import.meta.filename) {
  const [target, drafts] = process.argv.slice(2)
  const app = await openPlinth(JSON.parse(target!), drafts === '1')
  // Plinth asks clients to open a new connection after so many requests; the load generator does not hear that.
  app.server.maxRequestsPerSocket = 0
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  // A profile is written at exit, not when a signal kills the process.
  process.on('SIGTERM', () => process.exit(0))
  process.send?.({ address })
}
