// Names of advisory locks for what must be unique without a unique index: values in lists of components, and the entry
// of a single type. A write locks the names of its values first, so that the checks need no serializable transaction,
// and writes of other values do not conflict. Knows no database.

import type { ContentType } from '../model/content-type.ts'
import type { Input } from './parse.ts'

/** The number of names per column: a write with thousands of values must not fill the server's table of locks. */
const buckets = 1024

/** No advisory locks. */
export const noNames: readonly string[] = []

/** The names of locks for the values of an entry that must be unique without a unique index. */
export function valueLocks({ uniques }: Input): readonly string[] {
  if (uniques.length === 0) return noNames
  const names = new Set<string>()
  for (const { type, values } of uniques) {
    if (type.kind !== 'component') continue
    for (const [{ column }, value] of values) {
      if (value !== null && value !== undefined) names.add(`${type.table}.${column} ${bucketOf(String(value))}`)
    }
  }
  return [...names]
}

/** The name of the lock for the entry of a single type. */
export function singleLock(type: ContentType): string {
  return `${type.table} single`
}

/** FNV-1a of the text without case, accents and trailing spaces, because collations may treat such texts as equal. */
function bucketOf(value: string): number {
  const folded = value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd()
  let hash = 0x811c9dc5
  for (let i = 0; i < folded.length; i++) hash = Math.imul(hash ^ folded.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % buckets
}
