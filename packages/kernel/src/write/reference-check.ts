// Do the entries exist that a write links to (B-4.36)? One statement of its own asks that, or the INSERT of the row as its
// condition; the last places of new links are asked for with it. Knows no SQL.

import type { Transaction } from '../database/session.ts'
import type { Bound } from '../sql/dialect.ts'
import type { InsertCheck } from '../sql/writes/rows.ts'
import type { IdCount, WriteStatements } from '../sql/writes/statements.ts'
import type { LastPlaces, PlacesAsked } from './last-places.ts'
import type { Input } from './parse.ts'

/** The ids of one type that must exist. */
interface WantedIds extends IdCount {
  readonly uid: string
  /** Ids that cannot be included. */
  readonly wanted: number
}

const none: ReadonlyMap<string, number> = new Map()

/** The references of one write. */
export class ReferenceCheck implements InsertCheck {
  readonly counts: readonly WantedIds[]
  readonly #statements: WriteStatements
  readonly #refs: Input['refs']
  readonly #places: LastPlaces

  constructor(statements: WriteStatements, { refs }: Input, places: LastPlaces) {
    this.#statements = statements
    this.#refs = refs
    this.#places = places
    const counts: WantedIds[] = []
    for (const [uid, named] of refs) {
      const ids = [...named].filter(id => !Number.isNaN(id))
      if (ids.length > 0) counts.push({ ...statements.countIds(uid, ids), uid, wanted: named.size })
    }
    this.counts = counts
  }

  get lastPlaces(): readonly PlacesAsked[] {
    return this.#places.asked
  }

  /** Can the INSERT of the row test it? Not where an id cannot be, and nothing is there to count. */
  get isCondition(): boolean {
    return this.counts.length > 0 && this.counts.length === this.#refs.size
  }

  /** Gives how many of the named ids of each type do not exist; types of which all exist are left out. */
  async ask(tx: Transaction): Promise<ReadonlyMap<string, number>> {
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

  /** Adds what an INSERT binds that tests it. */
  bindCondition(values: Bound[]): void {
    for (const count of this.counts) values.push(...count.values, count.wanted)
    this.#bindPlaces(values)
  }

  /** Takes from a row what such an INSERT gives back besides. */
  takePlaces(row: unknown[]): void {
    this.#places.take(row.splice(row.length - this.#places.count))
  }

  #bindPlaces(values: Bound[]): void {
    for (const { targets } of this.#places.asked) values.push(...targets)
  }
}
