// The way from config/plugins to an ordered list of plugins. All mistakes are reported together, before any plugin is
// registered.

import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Type, Value } from '#typebox'
import { type Env, env } from '../application/env.ts'
import { PluginConfigError, PluginNotFoundError } from '../errors.ts'
import { findFaults } from '../model/faults.ts'
import { nearest, suggestion } from '../nearest.ts'
import { addSecretNames } from '../redaction/names.ts'
import { viewpoints } from '../registration/find-package.ts'
import { findPlugin, isPath, locatePlugin } from './find-plugin.ts'
import type { Plugin, PluginDefinition } from './plugin.ts'
import type { PluginEntry, PluginsConfig } from './plugin-entry.ts'
import type { CheckedPlugins, TypedPlugins } from './typed-plugins.ts'

/** A function of a config/plugins file. */
type PluginsFunction<Config> = (tools: { readonly env: Env }) => Config

/**
 * Returns its argument, for the types of a config/plugins file. The settings of the plugins in `Plinth.PluginSettings`,
 * which `plinth types` writes, are checked by the compiler.
 */
export function definePlugins<const Passed extends TypedPlugins | PluginsFunction<TypedPlugins>>(
  config: Passed extends PluginsFunction<infer Config>
    ? PluginsFunction<Config & CheckedPlugins<Config>>
    : Passed & CheckedPlugins<Passed>,
): PluginsConfig | PluginsFunction<PluginsConfig> {
  return config as PluginsConfig | PluginsFunction<PluginsConfig>
}

/** A plugin with its checked settings. */
export interface EnabledPlugin {
  readonly plugin: Plugin
  readonly config: Record<string, unknown>
}

const entryKeys = ['enabled', 'resolve', 'config', 'plugin']

/** Finds, checks and orders the enabled plugins. Throws PluginConfigError with all mistakes, or PluginNotFoundError. */
export async function resolvePlugins(
  config: PluginsConfig | ((tools: { env: Env }) => PluginsConfig),
  dir: string,
): Promise<EnabledPlugin[]> {
  const entries = typeof config === 'function' ? config({ env }) : config
  const mistakes: string[] = []
  const missing: string[] = []
  const enabledPlugins: EnabledPlugin[] = []
  for (const [name, entry] of Object.entries(entries)) {
    const options = typeof entry === 'boolean' ? { enabled: entry } : entry
    if (options === null || typeof options !== 'object') {
      mistakes.push(`${name}: must be true, false or an object`)
      continue
    }
    const unknown = Object.keys(options).filter(key => !entryKeys.includes(key))
    for (const key of unknown) {
      const hint = suggestion(key, entryKeys) || '; the settings of a plugin belong below config'
      mistakes.push(`${name}: ${key} is not known${hint}`)
    }
    const faults = faultsOfEntry(options).map(fault => `${name}: ${fault}`)
    mistakes.push(...faults)
    if (unknown.length > 0 || faults.length > 0 || options.enabled === false) continue
    const plugin = options.plugin ?? (await findPlugin(name, options.resolve, dir))
    if (plugin !== null && plugin.plinth === undefined)
      mistakes.push(`${name}.plugin: must be the result of definePlugin`)
    else if (plugin === null) missing.push(missingText(name, options.resolve, dir))
    else {
      // Before the settings are checked, because a message about them may be printed.
      addSecretNames(plugin.plinth.secretNames ?? [])
      enabledPlugins.push({ plugin, config: checkConfig(name, plugin.plinth, options.config ?? {}, mistakes) })
    }
  }
  const names = new Set(enabledPlugins.map(one => one.plugin.plinth.name))
  for (const { plugin } of enabledPlugins) {
    for (const needed of plugin.plinth.dependencies ?? []) {
      if (!names.has(needed)) mistakes.push(`${plugin.plinth.name}: needs the plugin "${needed}", which is not enabled`)
    }
  }
  if (missing.length > 0 && mistakes.length === 0)
    throw new PluginNotFoundError(`config/plugins: ${missing.join('; ')}`)
  if (mistakes.length > 0) throw new PluginConfigError([...missing, ...mistakes])
  return inOrder(enabledPlugins)
}

/** The faults of what an entry says beside the settings. The text "false", such as that of a variable, would enable a plugin. */
function faultsOfEntry({ enabled, resolve }: Exclude<PluginEntry, boolean>): string[] {
  const faults: string[] = []
  if (enabled !== undefined && typeof enabled !== 'boolean')
    faults.push(`enabled must be true or false, not ${JSON.stringify(enabled)}`)
  if (resolve !== undefined && typeof resolve !== 'string')
    faults.push(`resolve must be a path or the name of a package, not ${JSON.stringify(resolve)}`)
  return faults
}

function checkConfig(
  name: string,
  { config }: PluginDefinition,
  values: object,
  mistakes: string[],
): Record<string, unknown> {
  const schema = config ?? Type.Object({}, { additionalProperties: false })
  const settings = Value.Default(schema, Value.Clone(values)) as Record<string, unknown>
  for (const fault of findFaults(schema, settings))
    mistakes.push(`${name}.config${fault.path === '' ? '' : `.${fault.path}`}: ${fault.message}`)
  return settings
}

/** The names of the plugins in the folders that findPlugin searches, to suggest one for a misspelt name. */
function installedNames(dir: string): string[] {
  const namesIn = (folder: string, prefix: string): string[] => {
    if (!existsSync(folder)) return []
    const packages = readdirSync(folder).filter(name => name.startsWith(prefix))
    return packages.map(name => name.slice(prefix.length))
  }
  const folders = new Set(viewpoints(dir).flatMap(from => createRequire(from).resolve.paths('any') ?? []))
  return [...folders].flatMap(folder => [...namesIn(join(folder, '@plinth'), ''), ...namesIn(folder, 'plinth-plugin-')])
}

function missingText(name: string, path: string | undefined, dir: string): string {
  if (path !== undefined) {
    const hint = isPath(path) || locatePlugin(path, dir) !== null ? '' : `: npm install ${path}`
    return `"${name}" resolves to "${path}", which does not exist or is not a plugin${hint}`
  }
  const near = nearest(name, installedNames(dir)) ?? ''
  const command = `: npm install @plinth/${name}, or plinth-plugin-${name}`
  const hint = near === '' ? command : near === name ? '' : `, did you mean "${near}"?`
  return `the plugin "${name}" was not found (looked for the packages @plinth/${name} and plinth-plugin-${name})${hint}`
}

/** Sorts topologically by `dependencies` and `after`, and otherwise in the order of the file. */
function inOrder(plugins: readonly EnabledPlugin[]): EnabledPlugin[] {
  const ordered: EnabledPlugin[] = []
  const placed = new Set<string>()
  const byName = new Map(plugins.map(one => [one.plugin.plinth.name, one]))
  const place = (one: EnabledPlugin, above: readonly string[]): void => {
    const { name, dependencies = [], after = [] } = one.plugin.plinth
    if (placed.has(name)) return
    if (above.includes(name))
      throw new PluginConfigError([`the dependencies of plugins form a cycle: ${[...above, name].join(' → ')}`])
    for (const earlier of [...dependencies, ...after]) {
      const other = byName.get(earlier)
      if (other !== undefined) place(other, [...above, name])
    }
    placed.add(name)
    ordered.push(one)
  }
  for (const one of plugins) place(one, [])
  return ordered
}
