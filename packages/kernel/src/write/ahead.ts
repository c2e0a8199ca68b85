// What a write asks before it writes, in one statement: are the linked entries there, and, where an INSERT must not ask itself,
// behind which places new links go.

import type { Transaction } from '../database/session.ts'
import type { Registry } from '../model/registry.ts'
import type { Bound, Dialect } from '../sql/dialect.ts'
import { lastPlaceText, type LinksJoin, type Places, refsOf } from './links.ts'
import type { Input, InputEntry } from './parse.ts'

/** What was asked ahead. */
export interface Ahead {
  /** How many of the named ids of each type do not exist (B-4.36); types of which all exist are left out. */
  readonly missing: ReadonlyMap<string, number>
  readonly places: Places
}

/** Of relations with more targets, places are asked for when they are written. */
const mostTargets = 8

const nothing: Ahead = { missing: new Map(), places: new Map() }

/** Asks what a write must know of others' rows. */
export async function askAhead(
  tx: Transaction,
  dialect: Dialect,
  registry: Registry,
  { entry, refs }: Input,
): Promise<Ahead> {
  if (refs.size === 0) return nothing
  const questions: string[] = []
  const values: Bound[] = []
  const sound = [...refs].map(([uid, ids]) => ({ uid, ids: [...ids].filter(id => !Number.isNaN(id)) }))
  const asked = sound.filter(({ ids }) => ids.length > 0)
  for (const { uid, ids } of asked) {
    const table = dialect.quote(registry.require(uid).table)
    questions.push(`(SELECT COUNT(*) FROM ${table} WHERE ${dialect.within(dialect.quote('id'))})`)
    values.push(dialect.list(ids))
  }
  const wanted = dialect.locksInsertReads ? placesWanted(entry) : []
  for (const { join, targets } of wanted) {
    for (const target of targets) {
      questions.push(lastPlaceText(dialect, join))
      values.push(target)
    }
  }
  if (questions.length === 0) return { missing: countsOf(refs), places: new Map() }
  const [found = []] = await tx.all(dialect.finish(`SELECT ${questions.join(', ')}`), values)
  const missing = countsOf(refs)
  for (const [i, { uid }] of asked.entries()) missing.set(uid, missing.get(uid)! - Number(found[i]))
  let at = asked.length
  const places = new Map<LinksJoin, Map<number, number>>()
  for (const { join, targets } of wanted)
    places.set(join, new Map(targets.map(target => [target, Number(found[at++] ?? 0)])))
  return { missing: new Map([...missing].filter(([, count]) => count > 0)), places }
}

function countsOf(refs: Input['refs']): Map<string, number> {
  return new Map([...refs].map(([uid, ids]) => [uid, ids.size]))
}

interface Wanted {
  readonly join: LinksJoin
  readonly targets: readonly number[]
}

/** The relations that keep their links in order on the other side, too, and what is linked by them, components' included. */
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
