/**
 * Every plugin of this repository at once, for tests of what each of them must do. They are found in the packages, so that
 * none is forgotten; only their settings are listed.
 */

import type { PluginsConfig } from '@plinth/kernel'
import { pluginsOf } from './laws/plugins.ts'

type Settings = Readonly<Record<string, object>>

const secret = 'a secret that is long enough for all of it'

/** The settings of plugins that need some, or that do more with them. */
const settings: Settings = {
  'api-tokens': { salt: secret },
  i18n: { locales: ['en', 'fr'] },
  metrics: { port: 0 },
  'users-permissions': { jwtSecret: secret },
  // Nobody answers at this address.
  webhooks: { hooks: { all: { url: 'https://203.0.113.1/', events: ['entry.create'] } } },
}

/** Returns config/plugins with every plugin. `more` are settings beside the usual ones, by the names of the plugins. */
export async function everyPlugin(more: Settings = {}): Promise<PluginsConfig> {
  const plugins = await pluginsOf()
  for (const name of Object.keys({ ...settings, ...more }))
    if (!plugins.has(name)) throw new Error(`There is no plugin "${name}"`)
  const entries = [...plugins].map(([name, plugin]) => {
    const config = { ...settings[name], ...more[name] }
    return [name, { plugin, config }] as const
  })
  return Object.fromEntries(entries)
}
