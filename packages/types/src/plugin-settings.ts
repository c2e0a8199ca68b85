// Describes the settings of plugins in config/plugins and writes their types. They are not part of a model: a server does
// not send them.

import type { Plugin } from '@plinth/kernel'
import { keyOf } from './members.ts'
import { typeOfSchema } from './schema-type.ts'

/** The settings of the plugins of an application, sorted by their names. */
export type PluginSettings = readonly PluginSettingsDescription[]

/** The settings of one plugin. */
export interface PluginSettingsDescription {
  /** The name in config/plugins. */
  readonly name: string
  /** The TypeScript type of `config`. */
  readonly config: string
}

/** A plugin without a schema has no settings. */
const noSettings = { type: 'object', properties: {}, additionalProperties: false }

/** Describes the settings of plugins, by their names in config/plugins. */
export function describeSettings(plugins: ReadonlyMap<string, Plugin>): PluginSettings {
  return [...plugins]
    .map(([name, { plinth }]) => ({ name, config: typeOfSchema(plinth.config ?? noSettings) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The members of the interface `PluginSettings`. */
export function settingsMembers(settings: PluginSettings): string {
  return settings.map(({ name, config }) => `      ${keyOf(name)}: ${config.replaceAll('\n', '\n      ')}`).join('\n')
}
