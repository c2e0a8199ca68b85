// What a write must know of others' rows before it writes: are the linked entries there, and, where a plain INSERT must not ask
// itself, behind which places new links go. One statement of its own asks it, or the INSERT of the row, as its condition.

import { LRUCache } from 'lru-cache'
import type { Transaction } from '../database/session.ts'
import type { Registry } from '../model/registry.ts'
import type { Bound, Dialect } from '../sql/dialect.ts'
import { lastPlaceText, type LinksJoin, type Places } from './links.ts'
import type { Input, InputEntry } from './parse.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import { refsOf } from './relation-input.ts'

/** How many of the named ids of a type exist. */
interface Count {
  readonly text: string
  readonly values: readonly Bound[]
  readonly uid: string
  /** Counts with the same key have the same text. */
  readonly key: string
  readonly wanted: number
}

/** A relation that keeps its links in order on the other side, too, and what is linked by it. */
interface Wanted {
  readonly join: LinksJoin
  readonly targets: readonly number[]
}

/** Of relations with more targets, places are asked for when they are written. */
const mostTargets = 8

/** So many ids at most are bound one by one where that costs less than a list. */
const mostIds = 8

/** The texts of questions: they depend on what is asked about, of which there are few kinds. */
export class AheadTexts {
  readonly #dialect: Dialect
  readonly #registry: Registry
  readonly #pieces = new Map<string, string>()
  readonly #places = new Map<LinksJoin, string>()
  /** Callers choose which relations they send. */
  readonly #questions = new LRUCache<string, string>({
    max: 1000,
    maxSize: 4 * 1024 * 1024,
    sizeCalculation: (text, key) => text.length + key.length,
  })

  constructor(dialect: Dialect, registry: Registry) {
    this.#dialect = dialect
    this.#registry = registry
  }

  /** How many of these ids has the type? */
  count(uid: string, ids: readonly number[], wanted: number): Count {
    const isList = !this.#dialect.unpacksLists || ids.length > mostIds
    const key = isList ? uid : `${uid} ${ids.length}`
    return {
      uid,
      key,
      text: this.#pieces.get(key) ?? this.#countText(key, uid, isList ? null : ids.length),
      values: isList ? [this.#dialect.list(ids)] : ids,
      wanted,
    }
  }

  #countText(key: string, uid: string, ids: number | null): string {
    const id = this.#dialect.quote('id')
    const test = ids === null ? this.#dialect.within(id) : `${id} IN (${Array(ids).fill('?').join(', ')})`
    const text = `(SELECT COUNT(*) FROM ${this.#dialect.quote(this.#registry.require(uid).table)} WHERE ${test})`
    this.#pieces.set(key, text)
    return text
  }

  /** What is the last place taken among the links of a target? */
  place(join: LinksJoin): string {
    const known = this.#places.get(join)
    if (known !== undefined) return known
    const text = lastPlaceText(this.#dialect, join)
    this.#places.set(join, text)
    return text
  }

  /** One statement that asks all of it: the same text each time costs a connection nothing to find again. */
  question(key: string, counts: readonly Count[], places: readonly Wanted[]): string {
    const known = this.#questions.get(key)
    if (known !== undefined) return known
    const pieces = counts.map(one => one.text)
    for (const { join, targets } of places) for (const _ of targets) pieces.push(this.place(join))
    const text = this.#dialect.finish(`SELECT ${pieces.join(', ')}`)
    this.#questions.set(key, text)
    return text
  }
}

/** The question of one write. */
export class Ahead {
  readonly #texts: AheadTexts
  readonly #refs: Input['refs']
  readonly #counts: readonly Count[]
  readonly #wanted: readonly Wanted[]
  readonly #places = new Map<LinksJoin, Map<number, number>>()

  constructor(texts: AheadTexts, { entry, refs }: Input) {
    this.#texts = texts
    this.#refs = refs
    const counts: Count[] = []
    for (const [uid, named] of refs) {
      const ids = [...named].filter(id => !Number.isNaN(id))
      if (ids.length > 0) counts.push(texts.count(uid, ids, named.size))
    }
    this.#counts = counts
    this.#wanted = refs.size > 0 ? placesWanted(entry) : []
  }

  /** Registers the links that will be numbered; before it is asked. */
  register(tx: Transaction, numbers: PlaceNumbers): void {
    for (const { join, targets } of this.#wanted) numbers.registerLinks(tx, join, targets)
  }

  /** Writes with the same key ask the same, of others. */
  get key(): string {
    let key = ''
    for (const count of this.#counts) key += `${count.key},`
    for (const { join, targets } of this.#wanted) key += `${join.table}.${join.to} ${targets.length},`
    return key
  }

  /** The last places, once it was asked. */
  get places(): Places {
    return this.#places
  }

  /** Asks. Returns how many of the named ids of each type do not exist (B-4.36); types of which all exist are left out. */
  async ask(tx: Transaction): Promise<ReadonlyMap<string, number>> {
    const missing = new Map<string, number>()
    for (const [uid, ids] of this.#refs) missing.set(uid, ids.size)
    if (this.#counts.length + this.#wanted.length > 0) {
      const values: Bound[] = []
      for (const count of this.#counts) values.push(...count.values)
      for (const { targets } of this.#wanted) values.push(...targets)
      const [found = []] = await tx.all(this.#texts.question(this.key, this.#counts, this.#wanted), values)
      for (const [i, { uid, wanted }] of this.#counts.entries()) missing.set(uid, wanted - Number(found[i]))
      this.answer(found.slice(this.#counts.length))
    }
    for (const [uid, count] of missing) if (count <= 0) missing.delete(uid)
    return missing
  }

  /** Can the INSERT of the row ask it, as its condition that all are there? */
  get isCondition(): boolean {
    return this.#counts.length > 0 && this.#counts.length === this.#refs.size
  }

  /** The condition, and what is given back besides the row. */
  get guard(): { readonly condition: string; readonly besides: string } {
    const places = this.#wanted.flatMap(({ join, targets }) => targets.map(() => `, ${this.#texts.place(join)}`))
    return { condition: this.#counts.map(one => `${one.text} = ?`).join(' AND '), besides: places.join('') }
  }

  /** The values of both. */
  get guardValues(): Bound[] {
    const values: Bound[] = []
    for (const count of this.#counts) values.push(...count.values, count.wanted)
    for (const { targets } of this.#wanted) values.push(...targets)
    return values
  }

  /** How many values are given back besides the row. */
  get givenBack(): number {
    return this.#wanted.reduce((sum, { targets }) => sum + targets.length, 0)
  }

  /** Takes the last places, in the order in which they were asked for. */
  answer(found: readonly unknown[]): void {
    let at = 0
    for (const { join, targets } of this.#wanted) {
      const last = new Map<number, number>()
      for (const target of targets) last.set(target, Number(found[at++] ?? 0))
      this.#places.set(join, last)
    }
  }
}

/** Components' relations included. */
function placesWanted(entry: InputEntry): readonly Wanted[] {
  const links: Links[] = []
  collectLinks(links, entry)
  // Where both sides of a relation are written, one takes places that the other must know of.
  const isTwice = ({ join }: Links) => links.some(other => other.join !== join && other.join.table === join.table)
  return links.filter(
    one =>
      one.join.inverseOrder !== null && one.targets.length > 0 && one.targets.length <= mostTargets && !isTwice(one),
  )
}

/** What is linked by a relation; no more targets than are needed to know that they are too many. */
interface Links {
  readonly join: LinksJoin
  readonly targets: number[]
}

function collectLinks(links: Links[], { relations, components }: InputEntry): void {
  for (const { attribute, change } of relations) {
    const { join } = attribute
    if (join.via !== 'links') continue
    const known = links.find(one => one.join === join)
    const targets = known?.targets ?? []
    if (known === undefined) links.push({ join, targets })
    for (const { id } of refsOf(change))
      if (targets.length <= mostTargets && !Number.isNaN(id) && !targets.includes(id)) targets.push(id)
  }
  for (const { items } of components) for (const item of items) collectLinks(links, item)
}
