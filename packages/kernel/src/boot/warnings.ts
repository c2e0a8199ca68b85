// Warnings of the start: about a model without content types, dormant attributes, guessed types and unclaimed options.
// Nothing else would report them.

import type { SettledField } from '../model/base-types.ts'
import type { ContentType } from '../model/content-type.ts'
import type { PluginDefinition } from './plugin.ts'

interface Log {
  warn(message: string): void
}

/** The maximum number of attributes that a warning names. */
const maxNamed = 5

/** Warns of an application without content types, in which there is nothing to query. */
export function warnIfModelIsEmpty(types: readonly ContentType[], log: Log): void {
  if (types.some(({ kind, internal, hasOwnRoutes }) => kind !== 'component' && !internal && !hasOwnRoutes)) return
  log.warn('The application has no content types; add one as src/api/<api>/content-types/<name>/schema.json')
}

/** Warns of dormant attributes, in one message for each reason. */
export function warnOfDormant(types: readonly ContentType[], log: Log): void {
  const byReason = new Map<string, string[]>()
  for (const { uid, attributes } of types)
    for (const one of attributes.values()) {
      if (one.kind !== 'dormant') continue
      byReason.set(one.why, [...(byReason.get(one.why) ?? []), `${uid}.${one.name} (${one.type})`])
    }
  for (const [why, names] of byReason)
    log.warn(`${names.length} attribute(s) are always empty, because ${why}: ${listed(names)}`)
}

/** Warns of custom fields whose base type nobody has registered, in one message. */
export function warnOfGuessed(fields: readonly SettledField[], log: Log): void {
  const names = fields
    .filter(one => one.isGuessed)
    .map(one => `${one.uid}.${one.attribute} (${one.customField}) is ${one.type}, ${one.source}`)
  if (names.length === 0) return
  const what = 'custom field(s) have a base type that nobody has registered'
  log.warn(`${names.length} ${what}; kernel.customFields.add(name, { type }) says which it is: ${listed(names, '; ')}`)
}

function listed(names: readonly string[], separator = ', '): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  return `${names.slice(0, maxNamed).join(separator)}${more}`
}

/** Warns of tables in which texts cannot have all characters. */
export function warnOfNarrow(types: readonly ContentType[], charsets: ReadonlyMap<string, string>, log: Log): void {
  const names = types.flatMap(({ table }) => (charsets.has(table) ? [`${table} (${charsets.get(table)})`] : []))
  if (names.length === 0) return
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  log.warn(
    `${names.length} table(s) are not utf8mb4, so they cannot hold all characters, such as emoji; what they cannot hold is refused and found nowhere: ${names.slice(0, maxNamed).join(', ')}${more}. ALTER TABLE … CONVERT TO CHARACTER SET utf8mb4 changes one`,
  )
}

/** Options that the kernel reads itself, and those in files of v4 that have no effect. */
const optionsWithoutWarning = ['populateCreatorFields', 'privateAttributes', 'comment', 'increments', 'timestamps']

/**
 * Warns of unclaimed options: without the plugin, entries that the option would hide or keep apart are visible to all
 * callers.
 */
export function warnAboutUnclaimedOptions(
  types: readonly ContentType[],
  plugins: readonly PluginDefinition[],
  log: Log,
): void {
  const claimedOptions = new Set([
    ...optionsWithoutWarning,
    ...plugins.flatMap(one => Object.keys(one.typeOptions ?? {})),
  ])
  const names = new Set(plugins.map(one => one.name))
  const warn = ({ uid }: ContentType, path: string, why: string) =>
    log.warn(`${uid}: ${path} is set, but has no effect, because ${why}`)
  for (const type of types) {
    for (const [key, value] of Object.entries(type.options))
      if (!claimedOptions.has(key) && isOn(value)) warn(type, `options.${key}`, 'no plugin in config/plugins reads it')
    // Values other than true are mostly settings of v4's administration panel.
    for (const [name, options] of Object.entries(type.pluginOptions))
      for (const [key, value] of Object.entries(names.has(name) ? {} : options))
        if (value === true) warn(type, `pluginOptions.${name}.${key}`, `config/plugins has no plugin "${name}"`)
  }
}

function isOn(value: unknown): boolean {
  return value !== false && value !== null && value !== undefined && value !== ''
}
