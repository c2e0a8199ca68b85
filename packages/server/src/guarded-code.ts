// Code of Strapi v4 in the folder of an application may guard built-in actions, and is not run. So a server is never started
// there without the plugin that keeps these guards: it is enabled unless config/plugins names it, and a start without its
// package is refused. It knows where v4 looks for code, and nothing of what stands there.

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  env,
  type KernelOptions,
  type Logger,
  loadConfig,
  type Plugin,
  PluginNotFoundError,
  type PluginsConfig,
  resolvePlugins,
} from '@plinth/kernel'

/** The plugin that keeps the guards, by the name that it has in config/plugins. */
const keeper = 'v4'

/** The options, with the plugin that keeps the guards if the folder has code of v4. Throws PluginNotFoundError without it. */
export async function withGuards<Options extends KernelOptions>(options: Options, log: Logger): Promise<Options> {
  const dir = options.dir === undefined ? null : resolve(options.dir)
  const file = dir === null ? null : codeOfV4(dir)
  if (dir === null || file === null) return options
  const settings = (options.plugins ?? (await loadConfig(dir, 'plugins'))) as
    | PluginsConfig
    | ((tools: { readonly env: typeof env }) => PluginsConfig)
  const plugins = typeof settings === 'function' ? settings({ env }) : settings
  if (keeper in plugins) {
    if (isOff(plugins[keeper])) log.warn(`${file}: ${offText}`)
    return options
  }
  const plugin = await findKeeper(dir)
  if (plugin === null)
    throw new PluginNotFoundError(
      `${file} is code of Strapi v4, which may guard actions and is not run. The plugin ${keeper} keeps such actions shut: ` +
        `npm install @plinth/${keeper}`,
    )
  log.info(
    `${file} is code of Strapi v4, so the plugin ${keeper} is enabled: it keeps actions shut that such code guards`,
  )
  return { ...options, plugins: { ...plugins, [keeper]: { plugin } } }
}

/** The plugin as the application has it installed, or as it is beside this package; null if it is not installed. */
async function findKeeper(dir: string): Promise<Plugin | null> {
  try {
    const [resolved] = await resolvePlugins({ [keeper]: true }, dir)
    return resolved?.plugin ?? null
  } catch (error) {
    if (!(error instanceof PluginNotFoundError)) throw error
  }
  try {
    return (await import('@plinth/v4')).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  }
}

const isOff = (entry: PluginsConfig[string] | undefined) =>
  entry === false || (typeof entry === 'object' && entry.enabled === false)

const offText = `is code of Strapi v4, which is not run; the plugin ${keeper} is switched off, so what such code guards is served unguarded`

/** The first file of code of v4 in a folder that Plinth does not run, relative to it; null if there is none. */
function codeOfV4(dir: string): string | null {
  const ofApis = namesIn(join(dir, 'src/api')).flatMap(api =>
    ['routes', 'controllers', 'services', 'middlewares'].map(folder => `src/api/${api}/${folder}`),
  )
  for (const folder of [...ofApis, 'src/middlewares']) {
    const file = namesIn(join(dir, folder)).find(name => /(?<!\.d)\.(?:[cm]?[jt]s|json)$/.test(name))
    if (file !== undefined) return `${folder}/${file}`
  }
  for (const folder of ['config', ...namesIn(join(dir, 'config/env')).map(name => `config/env/${name}`)]) {
    const file = namesIn(join(dir, folder)).find(name => /^middlewares\.(?:[cm]?[jt]s|json)$/.test(name))
    if (file !== undefined) return `${folder}/${file}`
  }
  for (const plugin of namesIn(join(dir, 'src/extensions'))) {
    const file = namesIn(join(dir, 'src/extensions', plugin)).find(name => /^strapi-server\.[cm]?[jt]s$/.test(name))
    if (file !== undefined) return `src/extensions/${plugin}/${file}`
  }
  return null
}

/** The names in a folder, sorted; none if there is no such folder. */
function namesIn(folder: string): readonly string[] {
  return existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder).sort() : []
}
