// The last places among the links of targets, for relations whose links are ordered on the other side too. They are
// read together with the first check of a write. Knows no SQL.

import type { LinkTable } from '../model/content-type.ts'
import type { Transaction } from '../database/session.ts'
import type { LinkStatements } from '../sql/writes/links.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { Input, InputEntry } from './parse.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import { refsOf } from './relation-input.ts'

/** The targets that a write links by one relation, up to one more than `maxTargets`. */
interface LinkedTargets {
  readonly table: LinkTable
  readonly targets: number[]
}

/** A relation whose last places are read. */
export interface WantedPlaces extends LinkedTargets {
  readonly links: LinkStatements
}

/** The places of relations with more targets are read when the relation is written. */
const maxTargets = 8

const nothing: readonly WantedPlaces[] = []

/** The last places of one write. */
export class LastPlaces {
  readonly wanted: readonly WantedPlaces[]
  /** The number of places that are read. */
  readonly count: number
  /** The places that were read, by link table and target. */
  #found: Map<LinkTable, ReadonlyMap<number, number>> | null = null

  constructor(statements: WriteStatements, { entry, refs }: Input) {
    this.wanted = refs.size > 0 ? wantedPlaces(statements, entry) : nothing
    let count = 0
    for (const { targets } of this.wanted) count += targets.length
    this.count = count
  }

  /** Registers the links that will be numbered. Must precede the reading of the places. */
  register(tx: Transaction, numbers: PlaceNumbers): void {
    for (const { table, targets } of this.wanted) numbers.registerLinks(tx, table, targets)
  }

  /** Stores the places that were read: one for each target, in the order of `wanted`. */
  take(answer: readonly unknown[]): void {
    if (this.count === 0) return
    const found = new Map<LinkTable, ReadonlyMap<number, number>>()
    let at = 0
    for (const { table, targets } of this.wanted) {
      const last = new Map<number, number>()
      for (const target of targets) last.set(target, Number(answer[at++] ?? 0))
      found.set(table, last)
    }
    this.#found = found
  }

  /** The last places of a relation, by target; undefined if they were not read. */
  of(table: LinkTable): ReadonlyMap<number, number> | undefined {
    return this.#found?.get(table)
  }
}

/** The relations of an entry and its components whose last places are read. */
function wantedPlaces(statements: WriteStatements, entry: InputEntry): readonly WantedPlaces[] {
  const linked: LinkedTargets[] = []
  collectLinked(linked, entry)
  const wanted: WantedPlaces[] = []
  for (const { table, targets } of linked) {
    if (table.inverseOrder === null || targets.length === 0 || targets.length > maxTargets) continue
    // If a write changes both sides of a relation, one side takes places that the other must take into account.
    if (linked.some(other => other.table !== table && other.table.table === table.table)) continue
    wanted.push({ table, targets, links: statements.links(table) })
  }
  return wanted
}

function collectLinked(linked: LinkedTargets[], { relations, components }: InputEntry): void {
  for (const { attribute, change } of relations) {
    const { storage } = attribute
    if (storage.kind !== 'links') continue
    const known = linked.find(one => one.table === storage)
    const targets = known?.targets ?? []
    if (known === undefined) linked.push({ table: storage, targets })
    for (const { id } of refsOf(change))
      if (targets.length <= maxTargets && !Number.isNaN(id) && !targets.includes(id)) targets.push(id)
  }
  for (const { items } of components) for (const item of items) collectLinked(linked, item)
}
