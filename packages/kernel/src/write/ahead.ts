// What a write must know of others' rows before it writes: are the linked entries there, and, where a plain INSERT must not ask
// itself, behind which places new links go. One statement of its own asks it, or the INSERT of the row, as its condition.

import type { Transaction } from '../database/session.ts'
import type { Registry } from '../model/registry.ts'
import type { Bound, Dialect } from '../sql/dialect.ts'
import { lastPlaceText, type LinksJoin, type Places, refsOf } from './links.ts'
import type { Input, InputEntry } from './parse.ts'

/** A piece of SQL with its values. */
export interface Piece {
  readonly text: string
  readonly values: readonly Bound[]
}

/** How many of the named ids of a type exist. */
interface Count extends Piece {
  readonly uid: string
  readonly wanted: number
}

/** A relation that keeps its links in order on the other side, too, and what is linked by it. */
interface Wanted {
  readonly join: LinksJoin
  readonly targets: readonly number[]
}

/** Of relations with more targets, places are asked for when they are written. */
const mostTargets = 8

/** The question of one write. */
export class Ahead {
  readonly #dialect: Dialect
  readonly #refs: Input['refs']
  readonly #counts: readonly Count[]
  readonly #wanted: readonly Wanted[]
  readonly #places = new Map<LinksJoin, Map<number, number>>()

  constructor(dialect: Dialect, registry: Registry, { entry, refs }: Input) {
    this.#dialect = dialect
    this.#refs = refs
    this.#counts = [...refs].flatMap(([uid, named]) => {
      const ids = [...named].filter(id => !Number.isNaN(id))
      if (ids.length === 0) return []
      const table = dialect.quote(registry.require(uid).table)
      const text = `(SELECT COUNT(*) FROM ${table} WHERE ${dialect.within(dialect.quote('id'))})`
      return [{ uid, text, values: [dialect.list(ids)], wanted: named.size }]
    })
    this.#wanted = dialect.locksInsertReads && refs.size > 0 ? placesWanted(entry) : []
  }

  /** The last places, once it was asked. */
  get places(): Places {
    return this.#places
  }

  /** Asks. Returns how many of the named ids of each type do not exist (B-4.36); types of which all exist are left out. */
  async ask(tx: Transaction): Promise<ReadonlyMap<string, number>> {
    const missing = new Map([...this.#refs].map(([uid, ids]) => [uid, ids.size]))
    const pieces = [...this.#counts, ...this.#placePieces()]
    if (pieces.length > 0) {
      const text = `SELECT ${pieces.map(one => one.text).join(', ')}`
      const values = pieces.flatMap(one => one.values)
      const [found = []] = await tx.all(this.#dialect.finish(text), values)
      for (const [i, { uid, wanted }] of this.#counts.entries()) missing.set(uid, wanted - Number(found[i]))
      this.answer(found.slice(this.#counts.length))
    }
    return new Map([...missing].filter(([, count]) => count > 0))
  }

  /** What an INSERT may ask itself: the condition that all are there; null where there is nothing to ask. */
  get condition(): Piece | null {
    if (this.#counts.length === 0 || this.#counts.length < this.#refs.size) return null
    return {
      text: this.#counts.map(one => `${one.text} = ?`).join(' AND '),
      values: this.#counts.flatMap(one => [...one.values, one.wanted]),
    }
  }

  /** What it gives back besides its row. */
  get givenBack(): Piece {
    const pieces = this.#placePieces()
    return {
      text: pieces.map(one => `, ${one.text}`).join(''),
      values: pieces.flatMap(one => one.values),
    }
  }

  /** Takes the last places, in the order in which they were asked for. */
  answer(found: readonly unknown[]): void {
    let at = 0
    for (const { join, targets } of this.#wanted)
      this.#places.set(join, new Map(targets.map(target => [target, Number(found[at++] ?? 0)])))
  }

  #placePieces(): Piece[] {
    return this.#wanted.flatMap(({ join, targets }) => {
      const text = lastPlaceText(this.#dialect, join)
      return targets.map(target => ({ text, values: [target] }))
    })
  }
}

/** Components' relations included. */
function placesWanted(entry: InputEntry): Wanted[] {
  const targets = new Map<LinksJoin, Set<number>>()
  const collect = ({ relations, components }: InputEntry): void => {
    for (const { attribute, change } of relations) {
      const { join } = attribute
      if (join.via !== 'links' || join.inverseOrder === null) continue
      const known = targets.get(join) ?? new Set()
      targets.set(join, known)
      for (const { id } of refsOf(change)) if (!Number.isNaN(id)) known.add(id)
    }
    for (const { items } of components) for (const item of items) collect(item)
  }
  collect(entry)
  const lists = [...targets].map(([join, ids]) => ({ join, targets: [...ids] }))
  return lists.filter(one => one.targets.length > 0 && one.targets.length <= mostTargets)
}
