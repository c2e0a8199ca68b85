// The choices for a new application. Knows neither the command line nor the files that are written.

export const languages = ['ts', 'js'] as const
export const databases = ['sqlite', 'postgres', 'mysql'] as const
/** The plugins that can be chosen, each by its name in config/plugins. The REST API is always there. */
export const plugins = [
  'graphql',
  'users-permissions',
  'api-tokens',
  'upload',
  'i18n',
  'draft-publish',
  'custom-fields',
  'passwords',
  'email',
  'studio',
] as const

export type Language = (typeof languages)[number]
export type Database = (typeof databases)[number]
export type PluginName = (typeof plugins)[number]

/** The choices for one application. */
export interface Choices {
  /** The name in package.json. */
  readonly name: string
  readonly language: Language
  readonly database: Database
  readonly plugins: ReadonlySet<PluginName>
}

/** The default choices. */
export const defaults = {
  folder: 'my-plinth',
  language: 'ts',
  database: 'sqlite',
  plugins: ['graphql', 'users-permissions', 'upload', 'draft-publish', 'custom-fields'],
} as const satisfies { folder: string; language: Language; database: Database; plugins: readonly PluginName[] }

/** The plugins that others need. */
const needs: Partial<Record<PluginName, readonly PluginName[]>> = { studio: ['users-permissions'] }

/** The plugins with those that they need, in the order of the list above. */
export function withNeeded(chosen: Iterable<PluginName>): ReadonlySet<PluginName> {
  const all = new Set([...chosen].flatMap(name => [name, ...(needs[name] ?? [])]))
  return new Set(plugins.filter(name => all.has(name)))
}

/** A name that npm accepts, made of the name of a folder. */
export function packageNameOf(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
  return name === '' ? defaults.folder : name
}
