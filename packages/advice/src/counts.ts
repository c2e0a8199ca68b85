// Counts the runs of lists and their time in this process, by what they sort and filter by and by the index that serves
// them. Bounded: requests choose what they sort and filter by.

import { createHash } from 'node:crypto'
import type { ListSearch, ReadPage } from '@plinth/kernel'
import { type FindType, type Need, needsOf } from './need.ts'
import type { PresentIndexes } from './present-indexes.ts'

/** The runs of one search. */
export interface Count {
  /** Equal for equal needs with equal indexes, in all processes. */
  readonly id: string
  readonly need: Need
  /** The index that begins with the columns; null if there is none. */
  readonly index: string | null
  runs: number
  milliseconds: number
  /** The number of entries that were found last; null if nobody has counted them. */
  total: number | null
}

/** The needs of a search, with the id of its count. */
type Key = Pick<Count, 'id' | 'need' | 'index'>

/** The maximum number of searches between two times that counts are stored. */
const maxCounts = 500

/** The counts since they were taken last. */
export class Counts {
  readonly #findType: FindType
  /** By search, with the indexes for which it holds; the key is null for a search that needs no index. */
  readonly #keys = new WeakMap<ListSearch, { readonly key: Key | null; readonly indexes: PresentIndexes }>()
  #counts = new Map<string, Count>()

  /** The indexes that are there. */
  indexes: PresentIndexes

  constructor(findType: FindType, indexes: PresentIndexes) {
    this.#findType = findType
    this.indexes = indexes
  }

  /** Counts a page that was read. */
  add({ search, milliseconds, total }: ReadPage): void {
    let cached = this.#keys.get(search)
    if (cached?.indexes !== this.indexes) {
      cached = { key: this.#keyOf(search), indexes: this.indexes }
      this.#keys.set(search, cached)
    }
    const { key } = cached
    if (key === null) return
    let count = this.#counts.get(key.id)
    if (count === undefined) {
      if (this.#counts.size >= maxCounts) return
      count = { ...key, runs: 0, milliseconds: 0, total: null }
      this.#counts.set(key.id, count)
    }
    count.runs++
    count.milliseconds += milliseconds
    if (total !== null) count.total = total
  }

  /** Returns the counts, and begins again at nothing. */
  take(): readonly Count[] {
    const counts = [...this.#counts.values()]
    this.#counts = new Map()
    return counts
  }

  /** Adds counts that could not be stored to those that have begun since. */
  giveBack(counts: readonly Count[]): void {
    for (const count of counts) {
      const newer = this.#counts.get(count.id)
      if (newer === undefined) {
        if (this.#counts.size < maxCounts) this.#counts.set(count.id, count)
        continue
      }
      newer.runs += count.runs
      newer.milliseconds += count.milliseconds
      newer.total ??= count.total
    }
  }

  #keyOf(search: ListSearch): Key | null {
    const needs = needsOf(search, this.#findType)
    if (needs.length === 0) return null
    const served = needs.map(need => ({ need, index: this.indexes.serving(need) }))
    const chosen = served.find(one => one.index === null) ?? served[0]!
    const { uid, equal, keys, isSort, text } = chosen.need
    const parts = [uid, equal, keys, isSort, text, chosen.index]
    return { id: createHash('sha256').update(JSON.stringify(parts)).digest('hex'), ...chosen }
  }
}
