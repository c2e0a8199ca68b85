// Changes of what a caller does not see: a value of an attribute, or a link between two entries.

import type { Kernel } from '@plinth/kernel'
import type { Random } from './random.ts'
import { linkTableOf } from './restored.ts'
import { mayDo, type RandomRole } from './roles.ts'
import type { Sight } from './rounds.ts'
import { isMany, type Name, names, pools, type Scalar, shapes, type World } from './world.ts'

/** An attribute of an entry, with what it has and what it gets. Links are the ids of their targets. */
export type Change =
  | { readonly kind: 'scalar'; readonly at: Place; readonly before: Scalar | null; readonly after: Scalar | null }
  | {
      readonly kind: 'links'
      readonly at: Place
      readonly before: readonly number[]
      readonly after: readonly number[]
    }

interface Place {
  readonly name: Name
  readonly id: number
  readonly key: string
}

/** An entry that a write shows whatever rules say. */
export interface Shown {
  readonly name: Name
  readonly id: number
}

/** Whether a caller can tell what is at a place. */
export class Blindness {
  readonly #sight: Sight
  readonly #role: RandomRole
  readonly #shown: Shown | null

  constructor(sight: Sight, role: RandomRole, shown: Shown | null = null) {
    this.#sight = sight
    this.#role = role
    this.#shown = shown
  }

  #sees(name: Name, id: number): boolean {
    if (this.#shown?.name === name && this.#shown.id === id) return true
    return mayDo(this.#role, name, 'find') && this.#sight.ids[name].has(id)
  }

  /** Whether nothing of a change can be seen. */
  covers({ kind, at, before, after }: Change): boolean {
    if (kind === 'scalar') return !this.#sees(at.name, at.id) || this.#sight.isHidden(at.name, at.key)
    const changed = [...before.filter(id => !after.includes(id)), ...after.filter(id => !before.includes(id))]
    return changed.every(id => this.#coversLink(at, id))
  }

  /** A link is seen from its two ends, by the attributes that these have for it. */
  #coversLink({ name, id, key }: Place, target: number): boolean {
    const { to, inverse } = shapes[name].joins[key]!
    if (!(this.#sees(name, id) && this.#sees(to, target))) return true
    const { isHidden } = this.#sight
    return isHidden(name, key) && (inverse === null || isHidden(to, inverse))
  }
}

/** A change that `blindness` covers; null if a few tries find none. */
export function randomChange(random: Random, world: World, blindness: Blindness): Change | null {
  for (let tries = 0; tries < 40; tries++) {
    const change = random.chance(0.5) ? scalarChange(random, world) : linkChange(random, world)
    if (change !== null && blindness.covers(change)) return change
  }
  return null
}

function scalarChange(random: Random, world: World): Change | null {
  const name = random.pick(names)
  const [key, family] = random.pick(Object.entries(shapes[name].scalars))
  const row = random.pick([...world[name].values()])
  const before = row.values[key] ?? null
  const after = random.pick([...pools[family], null])
  return after === before ? null : { kind: 'scalar', at: { name, id: row.id, key }, before, after }
}

/** One link more or less, or another one where there can only be one. */
function linkChange(random: Random, world: World): Change | null {
  const name = random.pick(names)
  const owned = Object.entries(shapes[name].joins).filter(([, join]) => join.isOwner)
  if (owned.length === 0) return null
  const [key, join] = random.pick(owned)
  const row = random.pick([...world[name].values()])
  const before = row.links[key]!.map(one => one.id)
  const at = { name, id: row.id, key }
  if (before.length > 0 && random.chance(0.4)) {
    const gone = random.pick(before)
    return { kind: 'links', at, before, after: before.filter(id => id !== gone) }
  }
  const added = random.pick([...world[join.to].keys()])
  if (before.includes(added)) return null
  return { kind: 'links', at, before, after: isMany(join) ? [...before, added] : [added] }
}

/** Writes one side of a change past all hooks, so that not even the time of the change can be seen. */
export async function put(kernel: Kernel, change: Change, side: 'before' | 'after'): Promise<void> {
  const { kind, at } = change
  await kernel.transaction(async tx => {
    if (kind === 'scalar') {
      const value = change[side]
      return void (await tx
        .knex(`${at.name}s`)
        .where({ id: at.id })
        .update({ [at.key]: value }))
    }
    const { table, from, to, order, inverseOrder } = linkTableOf(kernel, at.name, at.key)
    const wanted = change[side]
    const there = (await tx
      .knex(table)
      .where({ [from]: at.id })
      .pluck(to)) as number[]
    const gone = there.filter(id => !wanted.includes(id))
    if (gone.length > 0)
      await tx
        .knex(table)
        .where({ [from]: at.id })
        .whereIn(to, gone)
        .del()
    // A link comes behind all others, on both sides, so that theirs stay in their order.
    for (const id of wanted.filter(one => !there.includes(one)))
      await tx.knex(table).insert({
        [from]: at.id,
        [to]: id,
        ...(order !== null && { [order]: 1000 }),
        ...(inverseOrder !== null && { [inverseOrder]: 1000 }),
      })
  })
}
