// Checks that the entries exist that a write links to (B-4.36), by a separate statement or by a condition of the INSERT
// of the row. The same statement returns the last places of new links. Knows no SQL.

import type { Transaction } from '../database/session.ts'
import type { Bound } from '../sql/dialect.ts'
import type { InsertCheck } from '../sql/writes/rows.ts'
import type { IdCount, WriteStatements } from '../sql/writes/statements.ts'
import type { LastPlaces, WantedPlaces } from './last-places.ts'
import type { HiddenIds } from './link-rules.ts'
import type { Input } from './parse.ts'

/** The ids of one type that must exist. */
interface WantedIds extends IdCount {
  readonly uid: string
  /** The number of ids, including those that no entry can have. */
  readonly wanted: number
}

const none: ReadonlyMap<string, number> = new Map()

/** The references of one write. */
export class ReferenceCheck implements InsertCheck {
  readonly counts: readonly WantedIds[]
  readonly #statements: WriteStatements
  readonly #refs: Input['refs']
  readonly #places: LastPlaces
  readonly #hasHidden: boolean

  /** `hidden` are entries that the write may not link: they count as missing, without being asked for. */
  constructor(statements: WriteStatements, { refs }: Input, hidden: HiddenIds, places: LastPlaces) {
    this.#statements = statements
    this.#refs = refs
    this.#places = places
    this.#hasHidden = hidden.size > 0
    const counts: WantedIds[] = []
    for (const [uid, named] of refs) {
      const without = hidden.get(uid)
      const ids = [...named].filter(id => !Number.isNaN(id) && without?.has(id) !== true)
      if (ids.length > 0) counts.push({ ...statements.countIds(uid, ids), uid, wanted: named.size })
    }
    this.counts = counts
  }

  get lastPlaces(): readonly WantedPlaces[] {
    return this.#places.wanted
  }

  /**
   * Whether the INSERT of the row can test the references: not if all ids of a type are ids that no entry can have, or if
   * some are hidden.
   */
  get isCondition(): boolean {
    return !this.#hasHidden && this.counts.length > 0 && this.counts.length === this.#refs.size
  }

  /** Counts how many of the named ids of each type do not exist. Types whose ids all exist are omitted. */
  async countMissing(tx: Transaction): Promise<ReadonlyMap<string, number>> {
    if (this.#refs.size === 0) return none
    const missing = new Map<string, number>()
    for (const [uid, ids] of this.#refs) missing.set(uid, ids.size)
    if (this.counts.length + this.#places.count > 0) {
      const values: Bound[] = []
      for (const count of this.counts) values.push(...count.values)
      this.#bindPlaces(values)
      const [found = []] = await tx.all(this.#statements.references(this), values)
      for (const [i, { uid, wanted }] of this.counts.entries()) missing.set(uid, wanted - Number(found[i]))
      this.#places.take(found.slice(this.counts.length))
    }
    for (const [uid, count] of missing) if (count <= 0) missing.delete(uid)
    return missing
  }

  /** Adds the bind values of an INSERT that tests the references. */
  bindCondition(values: Bound[]): void {
    for (const count of this.counts) values.push(...count.values, count.wanted)
    this.#bindPlaces(values)
  }

  /** Removes the last places from the row that such an INSERT returned, and stores them. */
  takePlaces(row: unknown[]): void {
    this.#places.take(row.splice(row.length - this.#places.count))
  }

  #bindPlaces(values: Bound[]): void {
    for (const { targets } of this.#places.wanted) values.push(...targets)
  }
}
