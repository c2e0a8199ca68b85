// Makes advice of counts: which index a search lacks, and what it costs. Knows no table of counts.

import type { Kernel } from '@plinth/kernel'
import { databaseOf } from '@plinth/kernel/tables'
import { type Need, namesOf } from './need.ts'
import type { PresentIndexes } from './present-indexes.ts'

/** The runs of a search, by whatever process. */
export interface SearchRuns {
  readonly need: Need
  readonly index: string | null
  readonly runs: number
  readonly milliseconds: number
  readonly total: number | null
}

/** An index that is missing. */
export interface Advice {
  /** The content type or component whose table it would be on. */
  readonly uid: string
  /** The attributes, as `database.indexes` names them. */
  readonly attributes: readonly string[]
  /** `articles sorted by title`. */
  readonly search: string
  readonly requests: number
  /** Milliseconds of one request. */
  readonly milliseconds: number
  /** The rows that are sorted or read for each request. */
  readonly rows: number
  readonly isSort: boolean
}

/** Fewer rows, and less time, are not worth an index. */
const least = { rows: 500, milliseconds: 1 }

/** Returns the advice for counts, the most time first. */
export async function adviceFor(
  kernel: Kernel,
  indexes: PresentIndexes,
  counts: readonly SearchRuns[],
): Promise<readonly Advice[]> {
  const advice: Advice[] = []
  const sizes = new Map<string, number>()
  for (const count of counts) {
    const { need, runs, milliseconds, total } = count
    // An index may have been made since, and a type may be gone.
    const type = kernel.contentTypes.get(need.uid)
    if (type === undefined || count.index !== null || indexes.serving(need) !== null) continue
    if (milliseconds / runs < least.milliseconds) continue
    const size = sizes.get(type.table) ?? (await rowsOf(kernel, type.table))
    sizes.set(type.table, size)
    // The rows that match the filters are sorted; without an index, all rows are read to find them.
    const isNarrowed = indexes.narrows(need)
    const rows = need.isSort && (need.equal.length === 0 || isNarrowed) ? (total ?? size) : size
    if (rows < least.rows) continue
    advice.push({
      uid: need.uid,
      attributes: namesOf(need),
      search: need.text,
      requests: runs,
      milliseconds: milliseconds / runs,
      rows,
      isSort: need.isSort,
    })
  }
  return advice.sort((a, b) => b.requests * b.milliseconds - a.requests * a.milliseconds)
}

async function rowsOf(kernel: Kernel, table: string): Promise<number> {
  const database = databaseOf(kernel)
  const { ddl } = database
  const text = `SELECT COUNT(*) FROM ${ddl.quote(ddl.fit(table))}`
  const rows = await database.readUnlimited(session => session.all(text, []))
  return Number(rows[0]?.[0])
}

/** `articles sorted by title: 1,240 requests, 5.5 ms each, 9,043 rows sorted; "indexed": true on title, or database.indexes` */
export function adviceText({ search, requests, milliseconds, rows, isSort, attributes }: Advice): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const times = `${number(requests)} ${requests === 1 ? 'request' : 'requests'}, ${milliseconds.toFixed(1)} ms each`
  return `${search}: ${times}, ${number(rows)} rows ${isSort ? 'sorted' : 'read'}; ${remedy(attributes)}`
}

function remedy(attributes: readonly string[]): string {
  const [name = ''] = attributes
  if (attributes.length === 1 && !name.includes(':')) return `"indexed": true on ${name}, or database.indexes`
  return `database.indexes: ${attributes.length === 1 ? JSON.stringify(name) : JSON.stringify(attributes).replaceAll(',', ', ')}`
}

/** The setting that makes all of these indexes: `indexes: { 'api::article.article': ['title'] }`. */
export function settingText(advice: readonly Pick<Advice, 'uid' | 'attributes'>[]): string {
  const byUid = Map.groupBy(advice, one => one.uid)
  const lines = [...byUid].map(([uid, list]) => {
    const names = [...new Set(list.map(one => quoted(one.attributes)))]
    return `  '${uid}': [${names.join(', ')}],`
  })
  return ['indexes: {', ...lines, '}'].join('\n')
}

function quoted(attributes: readonly string[]): string {
  const names = attributes.map(name => `'${name}'`)
  return names.length === 1 ? names[0]! : `[${names.join(', ')}]`
}
