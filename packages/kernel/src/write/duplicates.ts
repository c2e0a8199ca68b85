// Finds unique values that one request sends twice. No row has them yet, so a query would not find them.

import type { Input, UniqueCheck } from './parse.ts'

/**
 * The checks whose values an earlier check has for another row. None for new entries: v4 accepts those, and its clients
 * may rely on it.
 */
export function duplicated({ entry, uniques }: Input): ReadonlySet<UniqueCheck> {
  const found = new Set<UniqueCheck>()
  if (entry.id === null || uniques.length < 2) return found
  const first = new Map<string, UniqueCheck>()
  for (const check of uniques) {
    const values = [...check.values]
    if (values.some(([, value]) => value === null || value === undefined)) continue
    const key = JSON.stringify([check.type.uid, values.map(([attribute, value]) => [attribute.name, value])])
    const other = first.get(key)
    if (other === undefined) first.set(key, check)
    else if (check.id === null || check.id !== other.id) found.add(check)
  }
  return found
}
