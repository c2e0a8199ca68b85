// Surveys a project and its database without changing either, and without running the project's own code but for its
// configuration: the model with all installed plugins, and how the database differs from it.

import {
  loadModel,
  type Plugin,
  type PluginEntry,
  type PluginsConfig,
  type Registry,
  resolvePlugins,
} from '@plinth/kernel'
import type { OwnField } from './custom-fields.ts'
import { type DatabaseSurvey, surveyDatabase } from './database-survey.ts'
import { columnsOf } from './inspection/columns.ts'
import { type Fault, faultsOf } from './inspection/faults.ts'
import { findModel } from './inspection/model.ts'
import { remarksOf } from './inspection/plugin-remarks.ts'
import { findSettings } from './inspection/settings.ts'
import { keepTablesOfV4, ownTables, tablesOfV4 } from './open.ts'
import { fieldsPlugin, passwordsPlugin, webhooksPlugin } from './project.ts'

/** A plugin that the project names and Plinth does not serve. */
export interface MissingPlugin {
  readonly name: string
  readonly why: string
}

/** The result of a survey of a project. */
export interface Survey {
  /** The model. */
  readonly contentTypes: Registry
  readonly plugins: readonly string[]
  readonly missing: readonly MissingPlugin[]
  readonly database: DatabaseSurvey
  /** Returns whether Plinth or a plugin of the project keeps a table beside those of the model. */
  readonly keeps: (table: string) => boolean
  /** Files beside schemas that are not read, with the reasons. */
  readonly unused: readonly string[]
  /** config/plugins, as it was read. */
  readonly pluginSettings: Readonly<Record<string, unknown>>
  /** config/database, as it was read. */
  readonly databaseSettings: unknown
  /** The faults that stop a start. */
  readonly faults: readonly Fault[]
  /** Other remarks about files. */
  readonly notes: readonly string[]
}

/** The facts that were read of a project before its model is made. */
export interface ProjectFacts {
  /** Plugins that its configuration does not name, but its packages do. */
  readonly packagePlugins: readonly string[]
  /** Custom fields that its code registers. */
  readonly fields: readonly OwnField[]
  /** True if it is a project of v4, whose settings of plugins are v4's. */
  readonly isOfV4: boolean
}

/** Looks at the project in `dir`. */
export async function survey(dir: string, { packagePlugins, fields, isOfV4 }: ProjectFacts): Promise<Survey> {
  const plugins = await findSettings(dir, 'plugins', isOfV4)
  const pluginsConfig = (isOfV4 ? switchesOf(plugins.value) : plugins.value) as PluginsConfig
  // Plinth names them in config/plugins, if it needs them: passwords come with users-permissions.
  const ofCore = isOfV4 ? [...packagePlugins, passwordsPlugin, webhooksPlugin] : packagePlugins
  const { pluginEntries, missing } = await findPlugins(
    { ...Object.fromEntries(ofCore.map(name => [name, true])), ...pluginsConfig },
    dir,
  )
  const unread: Fault[] = []
  const onFault = (fault: Error) => unread.push(...faultsOf(fault, 'schemas'))
  const unused: string[] = []
  const files = await loadModel(dir, { runs: false, onFault, warn: message => unused.push(message) })
  // An extension of a plugin that is not found would stop the look, and the report names such a plugin.
  const isFound = (uid: string) => Object.keys(pluginEntries).some(name => uid.startsWith(`plugin::${name}.`))
  const database = await findSettings(dir, 'database', isOfV4)
  const findColumn = await columnsOf(database.value, dir)
  const { contentTypes, faults } = await findModel({
    files,
    database: database.value,
    options: extensions => ({
      findColumn,
      plugins: pluginEntries,
      configure(kernel) {
        keepTablesOfV4(kernel)
        for (const { name, type, file } of fields)
          kernel.customFields.add(name, { type, isFallback: true, source: file })
        for (const { uid, schema, file } of extensions)
          if (isFound(uid)) kernel.contentTypes.extend(uid, schema, { file })
      },
    }),
  })
  const surveyed = await surveyDatabase({ contentTypes }, database.value, dir)
  const remarks = await remarksOf(pluginsIn(pluginEntries), database.value, dir)
  const stored = { ...surveyed, remarks: [...surveyed.remarks, ...remarks] }
  // A start of an application refuses them; a project of v4 names plugins that Plinth does not have.
  const refused = isOfV4 ? [] : missing.filter(({ name }) => Object.hasOwn(pluginsConfig, name))
  const hasFields = contentTypes.customFields.settled.length > 0
  return {
    contentTypes,
    plugins: Object.keys(pluginEntries),
    // A model that needs passwords has a fault that names the plugin.
    missing: missing
      .filter(one => !refused.includes(one))
      .filter(({ name }) => !optional.includes(name) && (name !== fieldsPlugin || hasFields)),
    database: stored,
    pluginSettings: plugins.value,
    databaseSettings: database.value,
    unused,
    keeps: keptBy(pluginEntries),
    faults: [
      ...plugins.faults,
      ...refused.flatMap(({ why }) => faultsOf(`config/plugins: ${why}`, 'config/plugins')),
      ...database.faults,
      ...unread,
      ...faults,
      ...databaseFaults(stored),
    ],
    notes: [plugins.note, database.note].filter(one => one !== null),
  }
}

/** Plugins that a project of v4 does not miss. */
const optional: readonly string[] = [passwordsPlugin, webhooksPlugin]

/** Returns the faults of the database that stop a start. */
function databaseFaults({ fault, isMissing }: DatabaseSurvey): Fault[] {
  return fault === null || isMissing ? [] : faultsOf(fault, 'config/database')
}

/** The plugins that v4's settings switch on and off. Their settings are translated when an application is made of them. */
function switchesOf(plugins: Readonly<Record<string, unknown>>): Record<string, boolean> {
  const isOn = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? (value as { readonly enabled?: unknown }).enabled !== false
      : value !== false
  return Object.fromEntries(Object.entries(plugins).map(([name, value]) => [name, isOn(value)]))
}

const pluginsIn = (entries: Readonly<Record<string, PluginEntry>>) =>
  Object.values(entries).map(entry => (entry as { readonly plugin: Plugin }).plugin)

/** Of plugins that v4 has too, the prefixes are those of v4's tables as well, which may be left from it. */
function keptBy(pluginEntries: Readonly<Record<string, PluginEntry>>): Survey['keeps'] {
  const definitions = pluginsIn(pluginEntries).map(one => one.plinth)
  const prefixes = definitions
    .flatMap(one => [...(one.tables ?? []), ...Object.keys(one.ownTables ?? {})])
    .filter(prefix => !tablesOfV4.includes(prefix))
  return table => ownTables.includes(table) || prefixes.some(prefix => table.startsWith(prefix))
}

/** Each alone, so that one that is not there does not hide the other ones. One may need another that stands behind it. */
async function findPlugins(config: PluginsConfig, dir: string) {
  const resolved: Record<string, PluginEntry> = {}
  let missing: MissingPlugin[] = []
  let open = Object.keys(config)
  while (open.length > 0) {
    missing = []
    for (const name of open) {
      try {
        const earlier = new Set(Object.values(resolved).map(one => (one as { plugin: unknown }).plugin))
        // Together with those found: it may need one of them.
        const all = await resolvePlugins({ ...resolved, [name]: config[name]! }, dir)
        const one = all.find(({ plugin }) => !earlier.has(plugin))
        if (one !== undefined) resolved[name] = one
      } catch (error) {
        missing.push({ name, why: (error as Error).message.replace(/^config\/plugins: /, '') })
      }
    }
    if (missing.length === open.length) break
    open = missing.map(({ name }) => name)
  }
  // In the order of the settings, which the report keeps.
  const inOrder = Object.keys(config).filter(name => Object.hasOwn(resolved, name))
  const pluginEntries = Object.fromEntries(inOrder.map(name => [name, resolved[name]!]))
  return { pluginEntries, missing }
}
