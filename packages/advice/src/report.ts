// The report of the counts of all processes of an application, for commands.

import type { Kernel, ListSearch } from '@plinth/kernel'
import { type Advice, adviceFor, settingText } from './advice.ts'
import { namesOf, needsOf } from './need.ts'
import { readIndexes } from './present-indexes.ts'
import { type StoredCount, storedCounts } from './stored-counts.ts'

export { type Advice, adviceText, settingText } from './advice.ts'
export type { Need, NeededKey } from './need.ts'
export { type StoredCount, storedCounts } from './stored-counts.ts'

/** The counts, and the advice that follows from them. */
export interface Report {
  readonly advice: readonly Advice[]
  /** The number of lists that sort or filter, in all. */
  readonly requests: number
  /** When the first and the last were counted, in milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
}

/**
 * The setting that makes the index that a list lacks: `"indexed": true on articles.title, or in config/database: indexes: {
 * 'api::article.article': ['title'] }`. Null if the list needs no index, or has it.
 */
export async function missingIndex(kernel: Kernel, search: ListSearch): Promise<string | null> {
  const needs = needsOf(search, uid => kernel.contentTypes.get(uid))
  if (needs.length === 0) return null
  const indexes = await readIndexes(kernel)
  const need = needs.find(one => indexes.serving(one) === null)
  const type = need === undefined ? undefined : kernel.contentTypes.get(need.uid)
  if (need === undefined || type === undefined) return null
  const attributes = namesOf(need)
  const setting = settingText([{ uid: need.uid, attributes }])
    .replaceAll(/\s+/g, ' ')
    .replace(', }', ' }')
  const [name = ''] = attributes
  const isAlone = attributes.length === 1 && !name.includes(':')
  const own = isAlone ? `"indexed": true on ${type.pluralName || type.uid}.${name}, or ` : ''
  return `${own}in config/database: ${setting}`
}

/** Reads the counts, and compares them with the indexes that are there now. Null if nothing was counted. */
export async function reportOf(kernel: Kernel): Promise<Report | null> {
  const counts = await storedCounts(kernel)
  if (counts === null || counts.length === 0) return null
  const of = (read: (one: StoredCount) => number) => counts.map(read)
  return {
    advice: await adviceFor(kernel, await readIndexes(kernel), counts),
    requests: of(one => one.runs).reduce((sum, one) => sum + one, 0),
    firstAt: Math.min(...of(one => one.firstAt)),
    lastAt: Math.max(...of(one => one.lastAt)),
  }
}
