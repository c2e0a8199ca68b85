// What in the model waits for a plugin that is not there: said at the start, because nothing else shows it.

import type { PluginDefinition } from '../plugins.ts'
import type { ContentType } from './content-type.ts'

interface Told {
  info(message: string): void
  warn(message: string): void
}

/** Attributes that stay empty. That there are no files is known to whoever has no plugin for them: that is no warning. */
export function tellDormant(types: readonly ContentType[], log: Told): void {
  const names = (isMedia: boolean) =>
    types.flatMap(({ uid, attributes }) =>
      [...attributes.values()]
        .filter(one => one.kind === 'dormant' && (one.type === 'media') === isMedia)
        .map(one => `${uid}.${one.name}`),
    )
  const media = names(true)
  const others = names(false)
  if (media.length > 0) log.info(`${media.length} media attribute(s) stay empty: no plugin takes files`)
  if (others.length > 0) log.warn(`attributes that wait for a plugin load and stay empty: ${others.join(', ')}`)
}

/** What the kernel takes itself, and what v4 has in its files without a meaning. */
const known = ['populateCreatorFields', 'privateAttributes', 'comment', 'increments', 'timestamps']

/**
 * Options that are on and that nobody takes: what they keep from the public, or from other entries, is there for all as soon as
 * their plugin is not.
 */
export function warnOfUntaken(types: readonly ContentType[], plugins: readonly PluginDefinition[], log: Told): void {
  const taken = new Set([...known, ...plugins.flatMap(one => one.typeOptions ?? [])])
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
