// Names an entry for people.

import type { Component, ContentType, Entry } from './types.ts'

/** The value of the main field, or the number of the entry. */
export function entryName({ mainField }: Pick<ContentType | Component, 'mainField'>, entry: Entry): string {
  const value = entry[mainField]
  return typeof value === 'string' && value.trim() !== ''
    ? value
    : typeof value === 'number'
      ? `#${value}`
      : `#${entry.id}`
}
