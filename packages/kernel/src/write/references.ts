// Reads what the links of a write need before its first change, by a separate statement or by the INSERT of the row:
// whether the linked entries exist (B-4.36), unless foreign keys refuse the links of missing ones, and the last places
// among the links of targets, for relations whose links are ordered on the other side too. Knows no SQL.

import type { Transaction } from '../connection/session.ts'
import type { LinkTable } from '../model/content-type.ts'
import { type Bound, mayExist } from '../sql/dialect.ts'
import type { LinkStatements } from '../sql/writes/links.ts'
import type { InsertCheck } from '../sql/writes/rows.ts'
import type { IdCount, WriteStatements } from '../sql/writes/statements.ts'
import type { HiddenIds } from './link-rules.ts'
import type { Input, InputEntry } from './parse.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import { refsOf } from './relation-input.ts'

/** The ids of one type that must exist. */
interface RequiredIds extends IdCount {
  readonly uid: string
  /** The number of ids, including those that no entry can have. */
  readonly expectedCount: number
}

const none: ReadonlyMap<string, number> = new Map()
const noTypes: ReadonlySet<string> = new Set()

/** The arguments of a check of references. */
export interface References {
  readonly statements: WriteStatements
  readonly input: Input
  /** Entries that the write may not link: they count as missing, without being looked up. */
  readonly hidden: HiddenIds
  readonly places: LastPlaces
  /** The link tables whose foreign keys test the links; null if all linked entries are looked up. */
  readonly keyedLinks: ReadonlySet<string> | null
}

/** The references of one write. */
export class ReferenceCheck implements InsertCheck {
  readonly counts: readonly RequiredIds[]
  readonly #references: References
  readonly #statements: WriteStatements
  readonly #refs: Input['refs']
  /** The types whose linked entries foreign keys test. */
  readonly #keyed: ReadonlySet<string>
  readonly #places: LastPlaces
  readonly #hasHidden: boolean

  constructor(references: References) {
    const { statements, input, hidden, places, keyedLinks } = references
    const { refs } = input
    this.#references = references
    this.#statements = statements
    this.#refs = refs
    this.#keyed = keyedLinks === null || refs.size === 0 ? noTypes : keyedTypes(references, keyedLinks)
    this.#places = places
    this.#hasHidden = hidden.size > 0
    const counts: RequiredIds[] = []
    for (const [uid, sentIds] of refs) {
      if (this.#keyed.has(uid)) continue
      const without = hidden.get(uid)
      const ids = [...sentIds].filter(id => !Number.isNaN(id) && without?.has(id) !== true)
      if (ids.length > 0) counts.push({ ...statements.countIds(uid, ids), uid, expectedCount: sentIds.size })
    }
    this.counts = counts
  }

  get lastPlaces(): readonly PlaceReads[] {
    return this.#places.relations
  }

  /** The same, with all linked entries looked up: for an error, which names all that is missing. */
  get whole(): ReferenceCheck {
    return this.#keyed.size === 0 ? this : new ReferenceCheck({ ...this.#references, keyedLinks: null })
  }

  /**
   * Returns whether the INSERT of the row can test the references: not if all ids of a type are ids that no entry can
   * have, or if some are hidden.
   */
  get isCondition(): boolean {
    return !this.#hasHidden && this.#refs.size > 0 && this.counts.length + this.#keyed.size === this.#refs.size
  }

  /**
   * Counts how many of the named ids of each type do not exist. Types whose ids all exist are omitted, as are those that
   * are left to foreign keys.
   */
  async countMissing(tx: Transaction): Promise<ReadonlyMap<string, number>> {
    if (this.#refs.size === 0) return none
    const missing = new Map<string, number>()
    for (const [uid, ids] of this.#refs) if (!this.#keyed.has(uid)) missing.set(uid, ids.size)
    if (this.counts.length + this.#places.count > 0) {
      const values: Bound[] = []
      for (const count of this.counts) values.push(...count.values)
      this.#bindPlaces(values)
      const [row = []] = await tx.all(this.#statements.references(this), values)
      for (const [i, { uid, expectedCount }] of this.counts.entries()) missing.set(uid, expectedCount - Number(row[i]))
      this.#places.take(row.slice(this.counts.length))
    }
    for (const [uid, count] of missing) if (count <= 0) missing.delete(uid)
    return missing
  }

  /** Adds the bind values of an INSERT that tests the references. */
  bindCondition(values: Bound[]): void {
    for (const count of this.counts) values.push(...count.values, count.expectedCount)
    this.#bindPlaces(values)
  }

  /** Removes the last places from the row that such an INSERT returned, and stores them. */
  takePlaces(row: unknown[]): void {
    this.#places.take(row.splice(row.length - this.#places.count))
  }

  #bindPlaces(values: Bound[]): void {
    for (const { targets } of this.#places.relations) values.push(...targets)
  }
}

/**
 * Returns the types that the write links only by keyed link tables, and whose named ids may all exist. Not the type of
 * the new entry: a key would let it link the id that it gets itself.
 */
function keyedTypes({ statements, input, hidden }: References, keyedLinks: ReadonlySet<string>): ReadonlySet<string> {
  const keyed = new Set<string>()
  for (const [uid, ids] of input.refs)
    if (uid !== input.entry.type.uid && !hidden.has(uid) && [...ids].every(id => mayExist(statements.dialect, id)))
      keyed.add(uid)
  removeUnkeyed(keyed, input.entry, keyedLinks)
  return keyed
}

/** Removes the types that an entry or its components link otherwise. */
function removeUnkeyed(
  types: Set<string>,
  { relations, components }: InputEntry,
  keyedLinks: ReadonlySet<string>,
): void {
  for (const { attribute, change } of relations) {
    const { storage, target } = attribute
    if (storage.kind === 'links' && keyedLinks.has(storage.table)) continue
    for (const { type } of refsOf(change)) types.delete(target ?? type!)
  }
  for (const { items } of components) for (const item of items) removeUnkeyed(types, item, keyedLinks)
}

/** The targets that a write links by one relation, up to one more than `maxTargets`. */
interface LinkedTargets {
  readonly table: LinkTable
  readonly targets: number[]
}

/** A relation whose last places are read. */
export interface PlaceReads extends LinkedTargets {
  readonly links: LinkStatements
}

/** The places of relations with more targets are read when the relation is written. */
const maxTargets = 8

const noPlaces: readonly PlaceReads[] = []

/** The last places of one write. */
export class LastPlaces {
  readonly relations: readonly PlaceReads[]
  /** The number of places that are read. */
  readonly count: number
  /** The places that were read, by link table and target. */
  #places: Map<LinkTable, ReadonlyMap<number, number>> | null = null

  constructor(statements: WriteStatements, { entry, refs }: Input) {
    this.relations = refs.size > 0 ? placeReadsOf(statements, entry) : noPlaces
    let count = 0
    for (const { targets } of this.relations) count += targets.length
    this.count = count
  }

  /** Registers the links that will be numbered. Must precede the reading of the places. */
  register(tx: Transaction, numbers: PlaceNumbers): void {
    for (const { table, targets } of this.relations) numbers.registerLinks(tx, table, targets)
  }

  /** Stores the places that were read: one for each target, in the order of `relations`. */
  take(row: readonly unknown[]): void {
    if (this.count === 0) return
    const places = new Map<LinkTable, ReadonlyMap<number, number>>()
    let at = 0
    for (const { table, targets } of this.relations) {
      const last = new Map<number, number>()
      for (const target of targets) last.set(target, Number(row[at++] ?? 0))
      places.set(table, last)
    }
    this.#places = places
  }

  /** Returns the last places of a relation, by target; undefined if they were not read. */
  of(table: LinkTable): ReadonlyMap<number, number> | undefined {
    return this.#places?.get(table)
  }
}

/** Returns the relations of an entry and its components whose last places are read. */
function placeReadsOf(statements: WriteStatements, entry: InputEntry): readonly PlaceReads[] {
  const linked: LinkedTargets[] = []
  collectLinked(linked, entry)
  const relations: PlaceReads[] = []
  for (const { table, targets } of linked) {
    if (table.inverseOrder === null || targets.length === 0 || targets.length > maxTargets) continue
    // If a write changes both sides of a relation, one side takes places that the other must take into account.
    if (linked.some(other => other.table !== table && other.table.table === table.table)) continue
    relations.push({ table, targets, links: statements.links(table) })
  }
  return relations
}

function collectLinked(linked: LinkedTargets[], { relations, components }: InputEntry): void {
  for (const { attribute, change } of relations) {
    const { storage } = attribute
    if (storage.kind !== 'links') continue
    const present = linked.find(one => one.table === storage)
    const targets = present?.targets ?? []
    if (present === undefined) linked.push({ table: storage, targets })
    for (const { id } of refsOf(change))
      if (targets.length <= maxTargets && !Number.isNaN(id) && !targets.includes(id)) targets.push(id)
  }
  for (const { items } of components) for (const item of items) collectLinked(linked, item)
}
