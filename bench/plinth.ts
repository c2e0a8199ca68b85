// Opens Plinth on a database of the bench and fills its tables; no other file of the bench depends on Plinth. `node
// plinth.ts TARGET PLUGINS` serves it and sends the address to its parent; TARGET is JSON.

import type { Kernel } from '@plinth/kernel'
import { createServer } from '@plinth/server'
import { type Caller, JWT_SECRET, PASSWORD } from './callers.ts'
import type { Entries } from './data/entries.ts'
import { fileTables, v4Tables } from './data/v4-tables.ts'
import type { Side, Store, Target } from './store/store.ts'
import { isWithUsers, modelOf, type Plugins, settingsOf } from './variants.ts'

/** The application of `./app` on a database; `listen` receives the kernel before its plugins register. */
export const openPlinth = (target: Target, plugins: Plugins, listen?: (kernel: Kernel) => void) =>
  createServer({
    dir: new URL('./app', import.meta.url).pathname,
    database: target,
    plugins: { rest: true, ...settingsOf(plugins, JWT_SECRET) },
    logger: false,
    configure: kernel => {
      modelOf(plugins)?.(kernel)
      listen?.(kernel)
    },
  })

/** What a database of Plinth contains, and for which plugins it is. */
export interface Contents {
  /** Null for tables that the caller fills. */
  readonly entries: Entries | null
  readonly plugins: Plugins
  readonly side?: Side
  /** The users, if the plugin for users is on. The first one has a password. */
  readonly callers?: readonly Caller[]
}

/** Plinth creates the tables, and then they are filled without it. Returns the place. */
export async function createPlinthDatabase(
  store: Store,
  { entries, plugins, side = 'plinth', callers = [] }: Contents,
): Promise<Target> {
  const target = await store.create(side)
  const app = await openPlinth(target, plugins)
  await app.ready()
  if (isWithUsers(plugins)) for (const caller of callers) await createUser(app.kernel, caller)
  await app.close()
  if (entries !== null) {
    await store.fill(side, v4Tables(store.client, entries))
    if (plugins === 'media') await store.fill(side, fileTables(store.client, entries))
    await store.settle(side)
  }
  return target
}

async function createUser(kernel: Kernel, { id, ...attributes }: Caller): Promise<void> {
  const username = `user-${id}`
  const data = {
    username,
    email: `${username}@example.com`,
    provider: 'local',
    confirmed: true,
    // The first start makes it: `authenticated`.
    role: 1,
    ...attributes,
    ...(id === 1 && { password: PASSWORD }),
  }
  const made = await kernel.query('plugin::users-permissions.user').create({ data })
  if (made.id !== id) throw new Error(`The user ${id} has the id ${made.id}`)
}

if (process.argv[1] === import.meta.filename) {
  const [target, plugins] = process.argv.slice(2)
  const app = await openPlinth(JSON.parse(target!), JSON.parse(plugins!))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  // A profile is written at exit, not when a signal ends the process.
  process.on('SIGTERM', () => process.exit(0))
  process.send?.({ address })
}
