// Declares from what config/plugins of an application is written, and writes the settings that the files of v4 do not
// have.

import type { Language, PluginName } from '../choices.ts'
import type { Translation } from './config.ts'

/** The input from which the plugins file of an application is written. */
export interface PluginsSource {
  /** config/plugins; null if there is none. */
  readonly plugins: string | null
  /** config/middlewares; null if there is none. */
  readonly middlewares: string | null
  /** The plugins that run, whether the file names them or not. */
  readonly enabled: readonly PluginName[]
  readonly language: Language
  /** True if it is config/plugins, and not a file of config/env, which changes a part of it. */
  readonly isBase: boolean
  /** The base types of custom fields that its code registers, by their names. */
  readonly baseTypes: Readonly<Record<string, string>>
  /** The packages of the project, with their ranges. */
  readonly dependencies: Readonly<Record<string, string>>
  /** The entry of the plugin that keeps the guards of the project; null if there is nothing to keep. */
  readonly guards: string | null
}

/** A translation with what belongs to it. */
export interface PluginsTranslation extends Translation {
  /** The parts of config/middlewares that were left out. */
  readonly ofMiddlewares: readonly string[]
  /** True if the files of v4 are needed beside the translated one, which picks settings of theirs. */
  readonly isPicked: boolean
  /** Packages that the application needs for it. */
  readonly packages: readonly string[]
}

/** Returns what the file says of a plugin that v4 has not in its settings. */
export function entryOf(name: PluginName, { baseTypes }: PluginsSource): string {
  const types = Object.entries(baseTypes).map(([field, type]) => `'${field.replaceAll(/[\\']/g, '\\$&')}': '${type}'`)
  return name === 'custom-fields' && types.length > 0 ? `{ config: { baseTypes: { ${types.join(', ')} } } }` : 'true'
}

/** The settings of the REST API: those of config/middlewares, and what answers entries without a `meta`, as v4 does. */
export const settingsOfRest = ({ isBase }: PluginsSource, read: readonly string[] = []): readonly string[] => [
  ...(isBase ? ["entryMeta: 'never'"] : []),
  ...read,
]
