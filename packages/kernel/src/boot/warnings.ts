// What the model lacks, or what in it waits for a plugin that is not there: said at the start, because nothing else shows it.

import type { PluginDefinition } from './plugins.ts'
import type { ContentType } from '../model/content-type.ts'

interface Told {
  warn(message: string): void
}

/** So many are named. */
const maxNamed = 5

/** An application without content, in which nothing can be asked for. */
export function warnOfNone(types: readonly ContentType[], log: Told): void {
  if (types.some(({ kind, internal }) => kind !== 'component' && !internal)) return
  log.warn('there are no content types: src/api/<api>/content-types/<name>/schema.json would be one')
}

/** Attributes that stay empty, in one warning. */
export function warnOfDormant(types: readonly ContentType[], log: Told): void {
  const names = types.flatMap(({ uid, attributes }) =>
    [...attributes.values()].filter(one => one.kind === 'dormant').map(one => `${uid}.${one.name} (${one.type})`),
  )
  if (names.length === 0) return
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  const named = names.slice(0, maxNamed).join(', ')
  log.warn(
    `${names.length} attribute(s) wait for a plugin that is not enabled; they load and stay empty: ${named}${more}`,
  )
}

/** What the kernel takes itself, and what v4 has in its files without a meaning. */
const known = ['populateCreatorFields', 'privateAttributes', 'comment', 'increments', 'timestamps']

/**
 * Options that are on and that nobody takes: what they keep from the public, or from other entries, is there for all as soon as
 * their plugin is not.
 */
export function warnOfUntaken(types: readonly ContentType[], plugins: readonly PluginDefinition[], log: Told): void {
  const taken = new Set([...known, ...plugins.flatMap(one => Object.keys(one.typeOptions ?? {}))])
  const names = new Set(plugins.map(one => one.name))
  const warn = ({ uid }: ContentType, path: string, why: string) =>
    log.warn(`${uid}: ${path} is on, but ${why}; its entries are as if it were off`)
  for (const type of types) {
    for (const [key, value] of Object.entries(type.options))
      if (!taken.has(key) && isOn(value)) warn(type, `options.${key}`, 'no plugin in config/plugins takes it')
    // What is no switch is mostly for v4's administration panel.
    for (const [name, options] of Object.entries(type.pluginOptions))
      for (const [key, value] of Object.entries(names.has(name) ? {} : options))
        if (value === true) warn(type, `pluginOptions.${name}.${key}`, `config/plugins has no plugin "${name}"`)
  }
}

function isOn(value: unknown): boolean {
  return value !== false && value !== null && value !== undefined && value !== ''
}
