// Declares the form of config/plugins. Does not know the settings of plugins.

import type { Plugin } from './plugin.ts'

/** An entry of config/plugins. `true` and `false` are short for `{ enabled }`. */
export type PluginEntry<Settings = Readonly<Record<string, unknown>>> =
  | boolean
  | {
      readonly enabled?: boolean
      /** A path relative to the application, or the name of a package. */
      readonly resolve?: string
      readonly config?: Settings
      /** The plugin itself, for code that has imported it. */
      readonly plugin?: Plugin
    }

export type PluginsConfig = Readonly<Record<string, PluginEntry>>
