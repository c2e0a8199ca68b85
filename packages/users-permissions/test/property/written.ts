// Random writes with links, and what a naive model expects of them: a status, and what is in the database afterwards.

import type { Context, FindOptions, Kernel } from '@plinth/kernel'
import type { Random } from './random.ts'
import { checksOf, hiddenOf, mayDo, type RandomRole, wheresOf } from './roles.ts'
import type { Sight } from './rounds.ts'
import { type Filter, fulfils, type UserRow } from './truth.ts'
import {
  emptyRow,
  isMany,
  type Join,
  link,
  type Name,
  names,
  pools,
  type Row,
  shapes,
  uidOf,
  type World,
} from './world.ts'

export interface RandomWrite {
  readonly name: Name
  readonly action: 'create' | 'update' | 'delete'
  readonly id: number
  readonly data: Readonly<Record<string, unknown>>
}

/** A write of any type. */
export function randomWrite(random: Random, world: World): RandomWrite {
  const name = random.pick(names)
  const action = random.pick(['create', 'update', 'update', 'update', 'delete'] as const)
  const data: Record<string, unknown> = {}
  const { scalars, joins } = shapes[name]
  for (const [key, family] of Object.entries(scalars))
    if (random.chance(0.4)) data[key] = random.chance(0.1) ? null : random.pick(pools[family])
  for (const [key, join] of Object.entries(joins)) {
    if (!random.chance(0.3)) continue
    const ids = [...world[join.to].keys()]
    const linked = random.some(ids, 0, isMany(join) ? 2 : 1)
    data[key] = isMany(join) ? linked : (linked[0] ?? null)
  }
  const id = random.pick([...world[name].keys(), 999])
  // Whether a missing link or the missing entry is reported first does not matter.
  if (id === 999 && action === 'update') for (const key of Object.keys(joins)) delete data[key]
  return { name, action, id, data }
}

/** The status of a write, before what `check` demands of the entry afterwards. */
function expectation(one: RandomWrite, role: RandomRole, user: UserRow, world: World, sight: Sight): number {
  const { name, action, id, data } = one
  if (!mayDo(role, name, action)) return 403
  const row = world[name].get(id)
  const wheres = action === 'create' ? [] : wheresOf(role, name, action)
  const isFree = wheres.length === 0 || wheres.includes(null)
  // Where no rule asks for the entry, it is missed when it is to be changed, after the data has been checked.
  const isMissing = action !== 'create' && row === undefined
  if (!isFree && (isMissing || !wheres.some(where => fulfils(where as Filter, row!, user)))) return 404
  if (isMissing && action === 'delete') return 404
  if (action === 'delete') return 200
  const hidden = hiddenOf(role, name, action)
  const sent = Object.entries(data).filter(([key]) => isWritable(role, name, key))
  if (sent.some(([key]) => hidden.has(key))) return 403
  // A link is an update of its other side, too.
  const joins = sent.flatMap(([key, value]) => {
    const join = shapes[name].joins[key]
    const linked = [value].flat().filter(one => one !== null) as number[]
    return join === undefined ? [] : [{ key, join, linked }]
  })
  if (joins.some(({ join }) => hiddenOf(role, join.to, 'update').has(join.inverse ?? ''))) return 403
  if (isMissing) return 404
  for (const { join, linked } of joins) {
    const mayTake = takers(join, role, user)
    for (const one of linked) if (!sight.ids[join.to].has(one) || !mayTake(world[join.to].get(one)!)) return 400
  }
  // What a new entry takes from others is an update of these.
  const taken = joins.some(({ key, join, linked }) => {
    const isKept = action === 'create' && join.kind === 'oneToMany' && hiddenOf(role, name, 'update').has(key)
    return isKept && linked.some(one => world[join.to].get(one)!.links[join.inverse!]!.length > 0)
  })
  if (taken) return 403
  return 200
}

/** Which entries a link may take from others: as those that the caller may update, where the other side has one value. */
function takers({ kind, inverse, to }: Join, role: RandomRole, user: UserRow): (row: Row) => boolean {
  const isTaking = kind === 'oneToMany' || (kind === 'oneToOne' && inverse !== null)
  const wheres = isTaking ? wheresOf(role, to, 'update') : []
  const isFree = wheres.length === 0 || wheres.includes(null)
  return row => isFree || wheres.some(where => fulfils(where as Filter, row, user))
}

/** Links to types that the caller may not find are left out of the data. */
function isWritable(role: RandomRole, name: Name, key: string): boolean {
  const join = shapes[name].joins[key]
  return join === undefined || mayDo(role, join.to, 'find')
}

/** Changes the world as the write should. */
function apply(world: World, { name, action, id, data }: RandomWrite, role: RandomRole, newId: number): Row | null {
  if (action === 'delete') {
    const row = world[name].get(id)!
    for (const key of Object.keys(shapes[name].joins)) relink(row, key, [])
    for (const other of names)
      for (const one of world[other].values())
        for (const [key, { to }] of Object.entries(shapes[other].joins))
          if (to === name) one.links[key] = one.links[key]!.filter(linked => linked !== row)
    world[name].delete(id)
    return null
  }
  const row = action === 'create' ? emptyRow(name, newId) : world[name].get(id)!
  if (action === 'create') {
    world[name].set(newId, row)
    for (const key of Object.keys(shapes[name].scalars)) row.values[key] = null
  }
  for (const [key, value] of Object.entries(data)) {
    const join = shapes[name].joins[key]
    if (join === undefined) row.values[key] = value as never
    else if (isWritable(role, name, key))
      relink(
        row,
        key,
        [value].flat().flatMap(one => (one === null ? [] : [world[join.to].get(one as number)!])),
      )
  }
  return row
}

function relink(row: Row, key: string, targets: readonly Row[]): void {
  const { inverse, kind, to } = shapes[row.name].joins[key]!
  for (const target of row.links[key]!) if (inverse !== null) remove(target.links[inverse]!, row)
  row.links[key] = []
  for (const target of targets) {
    // A target of oneToMany is taken from its former owner.
    if (kind === 'oneToMany')
      for (const owner of [...target.links[inverse!]!]) {
        remove(owner.links[key]!, target)
        remove(target.links[inverse!]!, owner)
      }
    link(row, key, target)
  }
  void to
}

function remove(list: Row[], row: Row): void {
  const at = list.indexOf(row)
  if (at !== -1) list.splice(at, 1)
}

/** The world as text, whatever the order of links. */
export function textOf(world: World): string {
  return JSON.stringify(
    names.map(name =>
      [...world[name].values()].map(({ id, values, links }) => [
        id,
        Object.keys(shapes[name].scalars).map(key => values[key]),
        Object.keys(shapes[name].joins).map(key => links[key]!.map(one => one.id).sort((a, b) => a - b)),
      ]),
    ),
  )
}

/** Who writes, and what is known about it. */
export interface Writing {
  readonly role: RandomRole
  readonly user: UserRow
  readonly sight: Sight
  /** The id of the entry that a creation makes. */
  readonly newId: number
}

/** The status of a write. Changes the world as the write should if it is 200, and leaves a changed world if it is 403. */
export function expect(one: RandomWrite, world: World, { role, user, sight, newId }: Writing): number {
  const status = expectation(one, role, user, world, sight)
  if (status !== 200) return status
  const row = apply(world, one, role, newId)
  const checks = row === null ? [] : checksOf(role, one.name, one.action)
  return row !== null && checks.length > 0 && !checks.some(check => fulfils(check, row, user)) ? 403 : 200
}

/** Performs a write; null if there is no such entry. `shown` selects what is answered. */
export function perform(
  kernel: Kernel,
  context: Context,
  { name, action, id, data }: RandomWrite,
  shown: Pick<FindOptions, 'fields' | 'populate'> = {},
) {
  const entries = kernel.query(uidOf(name), context)
  if (action === 'create') return entries.create({ ...shown, data })
  return action === 'update' ? entries.update(id, { ...shown, data }) : entries.delete(id, shown)
}
