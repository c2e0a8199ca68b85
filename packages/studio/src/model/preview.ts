// Writes the address at which an entry can be seen.

import type { Entry } from './types.ts'

/** Replaces the names in braces by attributes of the entry; null if one of them is empty. */
export function previewAddress(pattern: string, entry: Entry): string | null {
  let isComplete = true
  const address = pattern.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = entry[name]
    if (value === null || value === undefined || value === '') isComplete = false
    return encodeURIComponent(String(value ?? ''))
  })
  return isComplete ? address : null
}
