// The last places among the links of targets, for the relations that keep their links in order on the other side, too: asked for
// together with what a write asks first. Knows no SQL.

import type { LinkTable } from '../model/content-type.ts'
import type { Transaction } from '../database/session.ts'
import type { LinkStatements } from '../sql/writes/links.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { Input, InputEntry } from './parse.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import { refsOf } from './relation-input.ts'

/** What is linked by a relation; no more targets than are needed to know that they are too many. */
interface LinkedTargets {
  readonly table: LinkTable
  readonly targets: number[]
}

/** A relation whose last places are asked for. */
export interface PlacesAsked extends LinkedTargets {
  readonly links: LinkStatements
}

/** Of relations with more targets, places are asked for when they are written. */
const maxTargets = 8

const nothing: readonly PlacesAsked[] = []

/** The last places of one write. */
export class LastPlaces {
  readonly asked: readonly PlacesAsked[]
  /** How many are asked for. */
  readonly count: number
  /** By target. */
  #found: Map<LinkTable, ReadonlyMap<number, number>> | null = null

  constructor(statements: WriteStatements, { entry, refs }: Input) {
    this.asked = refs.size > 0 ? placesAsked(statements, entry) : nothing
    let count = 0
    for (const { targets } of this.asked) count += targets.length
    this.count = count
  }

  /** Registers the links that will be numbered; before their places are asked for. */
  register(tx: Transaction, numbers: PlaceNumbers): void {
    for (const { table, targets } of this.asked) numbers.registerLinks(tx, table, targets)
  }

  /** Takes the answer: a place for each target, in the order in which they are asked for. */
  take(answer: readonly unknown[]): void {
    if (this.count === 0) return
    const found = new Map<LinkTable, ReadonlyMap<number, number>>()
    let at = 0
    for (const { table, targets } of this.asked) {
      const last = new Map<number, number>()
      for (const target of targets) last.set(target, Number(answer[at++] ?? 0))
      found.set(table, last)
    }
    this.#found = found
  }

  /** Those of a relation; undefined where they were not asked for. */
  of(table: LinkTable): ReadonlyMap<number, number> | undefined {
    return this.#found?.get(table)
  }
}

/** Components' relations included. */
function placesAsked(statements: WriteStatements, entry: InputEntry): readonly PlacesAsked[] {
  const linked: LinkedTargets[] = []
  collectLinked(linked, entry)
  const asked: PlacesAsked[] = []
  for (const { table, targets } of linked) {
    if (table.inverseOrder === null || targets.length === 0 || targets.length > maxTargets) continue
    // Where both sides of a relation are written, one takes places that the other must know of.
    if (linked.some(other => other.table !== table && other.table.table === table.table)) continue
    asked.push({ table, targets, links: statements.links(table) })
  }
  return asked
}

function collectLinked(linked: LinkedTargets[], { relations, components }: InputEntry): void {
  for (const { attribute, change } of relations) {
    const { storage: join } = attribute
    if (join.kind !== 'links') continue
    const known = linked.find(one => one.table === join)
    const targets = known?.targets ?? []
    if (known === undefined) linked.push({ table: join, targets })
    for (const { id } of refsOf(change))
      if (targets.length <= maxTargets && !Number.isNaN(id) && !targets.includes(id)) targets.push(id)
  }
  for (const { items } of components) for (const item of items) collectLinked(linked, item)
}
