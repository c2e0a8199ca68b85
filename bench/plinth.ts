// Opens Plinth on a database of the bench and fills its tables; no other file of the bench depends on Plinth. `node
// plinth.ts TARGET PLUGINS` serves it and sends the address to its parent; TARGET is JSON.
import type { Kernel } from '@plinth/kernel'
import { createServer } from '@plinth/server'
import type { Entries } from './data/entries.ts'
import { v4Tables } from './data/v4-tables.ts'
import type { Side, Store, Target } from './store/store.ts'

/**
 * The plugins beside REST: drafts or nothing. `both`: drafts and locales, with articles that are not localized, as in the
 * model of the scenarios. `all`: the same with localized articles. `plain`: none, but articles have the attributes that the
 * two plugins add.
 */
export type Plugins = boolean | 'plain' | 'both' | 'all'

const addPlain = (kernel: Kernel) =>
  kernel.hooks.on('preModel', { for: ({ uid }) => uid === 'api::article.article' }, draft => {
    draft.attribute('publishedAt', { type: 'datetime' })
    draft.attribute('locale', { type: 'string' })
  })

/** Runs before i18n reads the model, because the hooks of i18n are called later. */
const addUnlocalized = (kernel: Kernel) =>
  kernel.hooks.on('preModel', { for: ({ uid }) => uid === 'api::article.article' }, draft => {
    const own = draft.pluginOptions.i18n as { localized: boolean }
    own.localized = false
  })

/** The application of `./app` on a database; `listen` receives the kernel before its plugins register. */
export const openPlinth = (target: Target, plugins: Plugins, listen?: (kernel: Kernel) => void) =>
  createServer({
    dir: new URL('./app', import.meta.url).pathname,
    database: target,
    plugins: {
      rest: true,
      'draft-publish': plugins === true || plugins === 'both' || plugins === 'all',
      i18n: { enabled: plugins === 'both' || plugins === 'all', config: { locales: ['en', 'fr', 'de'] } },
    },
    logger: false,
    configure: kernel => {
      if (plugins === 'plain') addPlain(kernel)
      if (plugins === 'both') addUnlocalized(kernel)
      listen?.(kernel)
    },
  })

/** Plinth creates the tables, and then they are filled without it. */
export async function createPlinthDatabase(
  store: Store,
  entries: Entries,
  plugins: Plugins,
  side: Side = 'plinth',
): Promise<void> {
  const app = await openPlinth(await store.create(side), plugins)
  await app.ready()
  await app.close()
  await store.fill(side, v4Tables(store.client, entries))
  await store.settle(side)
}

if (process.argv[1] === import.meta.filename) {
  const [target, plugins] = process.argv.slice(2)
  const app = await openPlinth(JSON.parse(target!), JSON.parse(plugins!))
  // Plinth closes connections after a number of requests, which the load generator does not expect.
  app.server.maxRequestsPerSocket = 0
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  // A profile is written at exit, not when a signal ends the process.
  process.on('SIGTERM', () => process.exit(0))
  process.send?.({ address })
}
