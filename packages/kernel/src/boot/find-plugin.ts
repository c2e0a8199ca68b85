// Finds plugins: the one that an entry of config/plugins names, and those of the packages of an application. Does not know
// their settings, nor in which order they run.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../application/config-files.ts'
import { isRecord } from '../record.ts'
import { blaming } from '../registration/blame.ts'
import { findPackage } from '../registration/find-package.ts'
import type { Plugin } from './plugin.ts'
import type { PluginsConfig } from './plugin-entry.ts'

/** The plugin of an entry of config/plugins: that at `path`, else the package of the name. Null if there is none. */
export async function findPlugin(name: string, path: string | undefined, dir: string): Promise<Plugin | null> {
  const specifiers = path === undefined ? [`@plinth/${name}`, `plinth-plugin-${name}`] : [path]
  for (const one of specifiers) {
    const file = locatePlugin(one, dir)
    if (file === null) continue
    const load = () => import(pathToFileURL(file).href) as Promise<{ default?: unknown }>
    const module = await blaming(`plugin ${name}: cannot be loaded`, load)
    const plugin = module.default as Plugin | undefined
    return plugin?.plinth === undefined ? null : plugin
  }
  return null
}

/** Returns whether a `resolve` is a path, and not the name of a package. */
export const isPath = (specifier: string) => /^[./]/.test(specifier)

/** The file of a path relative to the application, or of a package; null if there is none. */
export function locatePlugin(specifier: string, dir: string): string | null {
  if (isPath(specifier)) {
    const base = resolve(dir, specifier)
    const inside = ['index.ts', 'index.js', 'src/index.ts'].map(name => join(base, name))
    const candidates = [base, `${base}.ts`, `${base}.js`, ...inside]
    return candidates.find(file => /\.[cm]?[jt]s$/.test(file) && existsSync(file)) ?? null
  }
  return findPackage(specifier, dir)
}

/** The name of the plugin in a package, if it is one: its name without this beginning. */
const packageName = /^(?:@plinth\/|plinth-plugin-)(.+)$/

/**
 * The plugins of the application in `dir` by the names that they have in config/plugins: those that the file names, enabled
 * or not, and those of the packages in package.json. Plugins that cannot be loaded are left out. Throws what loadConfig
 * throws.
 */
export async function findPlugins(dir: string): Promise<ReadonlyMap<string, Plugin>> {
  const plugins = new Map<string, Plugin>()
  const add = async (name: string, find: () => Promise<Plugin | null>) => {
    const plugin = await find().catch(() => null)
    if (plugin?.plinth !== undefined) plugins.set(name, plugin)
  }
  for (const [name, entry] of Object.entries((await loadConfig(dir, 'plugins')) as PluginsConfig)) {
    const { plugin, resolve: path } = isRecord(entry) ? (entry as { plugin?: Plugin; resolve?: string }) : {}
    await add(name, async () => plugin ?? findPlugin(name, path, dir))
  }
  for (const name of await packageNames(dir)) {
    const [, pluginName] = packageName.exec(name) ?? []
    if (pluginName !== undefined && !plugins.has(pluginName))
      await add(pluginName, () => findPlugin(pluginName, name, dir))
  }
  return plugins
}

/** The names of the packages that the package.json of an application has; none without such a file. */
async function packageNames(dir: string): Promise<readonly string[]> {
  const file = join(dir, 'package.json')
  if (!existsSync(file)) return []
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(await readFile(file, 'utf8'))
  return [...new Set(Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }))]
}
