// Names of advisory locks for what must be unique without a unique index: values in lists of components, values of which
// old rows are equal, so that the database has no index, and the entry of a single type. A write locks the names of its
// values first, so that the checks need no serializable transaction, and writes of other values do not conflict. Knows no
// database.

import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import { type Divergence, indexKey } from '../model/divergence.ts'
import type { Input } from './parse.ts'

/** The number of names per column: a write with thousands of values must not fill the server's table of locks. */
const buckets = 1024

/** No advisory locks. */
export const noNames: readonly string[] = []

/** The names of locks for the values of an entry that must be unique without a unique index. */
export function valueLocks({ uniques }: Input, { unenforced }: Divergence): readonly string[] {
  if (uniques.length === 0) return noNames
  const names = new Set<string>()
  for (const { type, values } of uniques) {
    if (type.kind !== 'component' && !isUnenforced(unenforced, type, values)) continue
    // Of several attributes, two writes may each send another one, and so meet in no value.
    if (values.size > 1) names.add(indexKey(type.table, columnsOf(values)))
    else
      for (const [{ column }, value] of values)
        if (value !== null && value !== undefined) names.add(`${type.table}.${column} ${bucketOf(String(value))}`)
  }
  return [...names]
}

type Values = ReadonlyMap<ScalarAttribute, unknown>

function isUnenforced(unenforced: ReadonlySet<string>, { table }: ContentType, values: Values): boolean {
  return unenforced.size > 0 && unenforced.has(indexKey(table, columnsOf(values)))
}

function columnsOf(values: Values): string[] {
  return [...values.keys()].map(one => one.column)
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
