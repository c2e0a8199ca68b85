// The names of what is generated: kebab-case, as the kernel demands it of schemas, with the name that was meant.

import { Failure } from '../failure.ts'

const kebab = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Throws Failure with the nearest right name if this one is not in kebab-case. */
export function checkName(what: string, name: string): void {
  if (kebab.test(name)) return
  const meant = kebabOf(name)
  const hint = kebab.test(meant) ? `, did you mean "${meant}"?` : ''
  throw new Failure(`${what} "${name}" must be in kebab-case, such as "news-item"${hint}`)
}

function kebabOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase()
}

/** The plural of an English name; `--plural` sets one that is irregular. */
export function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

/** `news-item` becomes `News item`. */
export function displayNameOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `news-item` becomes `news_item`, as in names of tables. */
export const tableOf = (name: string): string => name.replaceAll('-', '_')
