// What in the model waits for a plugin that is not there: said at the start, because nothing else shows it.

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
