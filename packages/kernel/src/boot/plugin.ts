// The contract of a plugin: its definition, and the checks that a definition passes. Does not know where plugins are
// found, nor in which order they run.

import type { Static, TSchema } from '#typebox'
import type { PluginHost, WholeServer } from '../hooks/plugin-host.ts'
import { isRecord } from '../record.ts'
import { checkFunction, checkTexts, checkWords, shown, type Words } from '../registration/checks.ts'
import { type Refuse, Registrar } from '../registration/registrar.ts'
import { type CommandGroup, checkCommands } from './commands.ts'
import type { Kernel } from './kernel.ts'
import { checkOwnTables, type OwnTables } from './own-tables.ts'
import type { StoredTables } from './stored-tables.ts'

/** The argument of a plugin's functions. */
export interface PluginTools<Config> {
  readonly kernel: Kernel
  readonly config: Config
  /** The scope of Plinth's routes. It is the server itself if that has no other routes, and null without a server. */
  readonly app: PluginHost | null
  /** Null if the server also has other routes (`app.register(plinth, …)`), and without a server. */
  readonly server: WholeServer | null
}

/** A plugin as its author writes it. */
export interface PluginDefinition<Schema extends TSchema = TSchema> {
  readonly name: string
  /** The schema of its settings. Defaults are applied before the settings are checked. */
  readonly config?: Schema
  /** Plugins that must be enabled, and that are registered before it. */
  readonly dependencies?: readonly string[]
  /** Plugins that are registered before it if they are enabled. */
  readonly after?: readonly string[]
  /**
   * The keys of the `options` of types that it reads, with the schemas of their values. A start refuses other values
   * and misspelt keys, and warns of unclaimed options.
   */
  readonly typeOptions?: Readonly<Record<string, TSchema>>
  /**
   * The keys of `pluginOptions.<its name>` of types and attributes that it reads, with the schemas of their values. A
   * start refuses other values and misspelt keys, and warns of other unknown keys. Without it, all keys and values are
   * accepted.
   */
  readonly pluginOptions?: Readonly<Record<string, TSchema>>
  /**
   * Names of its settings, parameters, headers and attributes whose values are secret, so that logs leave them out:
   * whole words of letters, digits, "_" and "-", in any case. Names that contain "password", "secret", "token",
   * "apiKey" and the like are secret without it.
   */
  readonly secretNames?: readonly string[]
  /** Prefixes of the names of its tables. Migrations do not drop such tables, even if no content type uses them. */
  readonly tables?: readonly string[]
  /**
   * Tables that it makes itself, for what is not content: by name, a function that adds the columns with knex. A start
   * creates those that are missing before `bootstrap`, in production too, and never changes one. Migrations do not drop
   * them. Names have up to 63 lower-case letters, digits and `_`.
   */
  readonly ownTables?: OwnTables
  /** The commands that it adds to the command line, by their first word: `plinth <word> <command>`. */
  readonly commands?: Readonly<Record<string, CommandGroup>>
  /**
   * For `plinth doctor`: looks at a database that nothing may change, and returns remarks for its owner, as sentences
   * without a full stop at the end. `register` has run for a model that may lack what is faulty, and `bootstrap` has not.
   */
  inspect?(stored: StoredTables): readonly string[] | Promise<readonly string[]>
  /** Called before the model is frozen, to register hooks, parameters, types and strategies. */
  register(tools: PluginTools<Static<Schema>>): void | Promise<void>
  /** Called after the database is ready, before requests. */
  bootstrap?(tools: PluginTools<Static<Schema>>): void | Promise<void>
  destroy?(tools: PluginTools<Static<Schema>>): void | Promise<void>
}

/** A plugin: its definition, after the checks. */
export interface Plugin {
  readonly plinth: PluginDefinition
}

/** Checks a definition and returns the plugin, for config/plugins or the option `plugins`. Throws RegistrationError. */
export function definePlugin<Schema extends TSchema>(definition: PluginDefinition<Schema>): Plugin {
  checkPlugin(
    definition as unknown as PluginDefinition,
    new Registrar().refusal('definePlugin', String(definition?.name)),
  )
  return { plinth: definition as unknown as PluginDefinition }
}

const pluginWords: Words<PluginDefinition> = {
  name: 'needed',
  config: 'optional',
  dependencies: 'optional',
  after: 'optional',
  typeOptions: 'optional',
  pluginOptions: 'optional',
  secretNames: 'optional',
  tables: 'optional',
  ownTables: 'optional',
  commands: 'optional',
  inspect: 'optional',
  register: 'needed',
  bootstrap: 'optional',
  destroy: 'optional',
}

/** Refuses a plugin with keys that are not known, or without those that it needs. */
function checkPlugin(definition: PluginDefinition, refuse: Refuse): void {
  checkWords(definition, pluginWords, refuse)
  if (typeof definition.name !== 'string' || definition.name === '') refuse('name must be a non-empty string')
  const { config } = definition as { readonly config?: unknown }
  if (config !== undefined && (config === null || typeof config !== 'object'))
    refuse(`config must be a TypeBox schema, found ${shown(config)}`)
  for (const key of ['typeOptions', 'pluginOptions'] as const) checkSchemas(key, definition[key] ?? {}, refuse)
  for (const key of ['dependencies', 'after', 'secretNames', 'tables'] as const)
    checkTexts(key, definition[key], refuse)
  const misnamed = definition.secretNames?.find(one => !/^[A-Za-z][\w-]*$/.test(one))
  if (misnamed !== undefined)
    refuse(`secretNames must consist of letters, digits, "_" and "-", found ${shown(misnamed)}`)
  if (definition.ownTables !== undefined) checkOwnTables(definition.ownTables, refuse)
  for (const key of ['inspect', 'register', 'bootstrap', 'destroy'] as const)
    checkFunction(key, definition[key], refuse)
  checkCommands(definition.commands, refuse)
}

function checkSchemas(key: string, schemas: unknown, refuse: Refuse): void {
  if (!isRecord(schemas) || !Object.values(schemas).every(one => typeof one === 'object' && one !== null))
    refuse(`${key} must be an object of TypeBox schemas, found ${shown(schemas)}`)
}
