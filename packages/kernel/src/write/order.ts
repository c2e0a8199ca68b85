// Computes which entries a relation links to after a change, and their places, so that the stored order is the
// requested one (B-4.30 to B-4.33).

import { ValidationError } from '../errors.ts'
import type { RelationAttribute, Uid } from '../model/content-type.ts'
import { Chain } from './chain.ts'
import type { Position, Ref, RelationChange } from './relation-input.ts'

/** A stored link: the target and its place. */
export interface PlacedLink {
  readonly id: number
  readonly order: number | null
}

type Patch = Extract<RelationChange, { kind: 'patch' }>

/** Returns the ids linked after the change. A relation to one entry links the last one (B-4.34). */
export function wantedIds(
  attribute: RelationAttribute,
  change: RelationChange,
  current: readonly number[],
): readonly number[] {
  if (attribute.many) return change.kind === 'set' ? change.refs.map(ref => ref.id) : arrange(current, change)
  const ids = change.kind === 'set' ? change.refs.map(ref => ref.id) : lastConnected(change, current)
  return ids.slice(-1)
}

/** Returns the ids of a relation to one entry, which has no places: v4 ignores positions there. */
function lastConnected({ connect, disconnect }: Patch, current: readonly number[]): readonly number[] {
  if (connect.length > 0) return connect.map(one => one.ref.id)
  return current.filter(id => !disconnect.some(one => one.id === id))
}

/** Returns the list after disconnecting and connecting. Throws ValidationError for impossible positions. */
export function arrange(current: readonly number[], change: Patch): number[] {
  return arrangeBy(({ id }) => id, current, change)
}

/** Returns the same for entries of several types. */
export function arrangeRefs(current: readonly Ref[], change: Patch): Ref[] {
  const keyOf = ({ id, type }: Ref) => `${type} ${id}`
  const refs = new Map([...current, ...change.connect.map(one => one.ref)].map(ref => [keyOf(ref), ref]))
  return arrangeBy(keyOf, current.map(keyOf), change).map(key => refs.get(key)!)
}

/** A connected entry with the key of its neighbour; null if it has none. */
interface Item<Key> {
  readonly key: Key
  readonly ref: Ref
  readonly position: Position
  readonly neighbour: Key | null
}

function arrangeBy<Key>(keyOf: (ref: Ref) => Key, current: readonly Key[], change: Patch): Key[] {
  const items = new Map<Key, Item<Key>>()
  for (const { ref, position } of change.connect) {
    const key = keyOf(ref)
    if (items.has(key)) {
      throw new ValidationError(
        `The relation with id ${ref.id} is already connected. You cannot connect the same relation twice.`,
      )
    }
    const neighbour = neighbourOf(position)
    const type = neighbour?.__type ?? ref.type
    items.set(key, { key, ref, position, neighbour: neighbour === null ? null : keyOf({ id: neighbour.id, type }) })
  }
  const removedKeys = new Set(change.disconnect.map(keyOf))
  const keptKeys = current.filter(key => !removedKeys.has(key))
  if (change.connect.every(one => one.position === 'end'))
    return [...keptKeys.filter(key => !items.has(key)), ...items.keys()]
  const linked = new Set(keptKeys)
  const list = new Chain(keptKeys)
  for (const item of inOrder(items, linked, change.strict)) place(list, item)
  return list.toArray()
}

/** Places a connected entry; one that is linked already is moved. */
function place<Key>(list: Chain<Key>, item: Item<Key>): void {
  const { key, position, neighbour } = item
  if (list.has(key)) list.remove(key)
  // Only an entry that is placed beside itself.
  if (neighbour !== null && !list.has(neighbour)) throw unplaced(item)
  // Without a neighbour, null stands for the start and the end of the list.
  if (position === 'start' || (position !== 'end' && 'after' in position)) list.insertAfter(key, neighbour)
  else list.insertBefore(key, neighbour)
}

/**
 * Returns the connected entries in the order in which they are placed: an entry whose neighbour is linked already at
 * its turn, one whose neighbour is only connected after that one, wherever it stands in the list. As in v4, nothing is
 * ordered, and no circle is found, if each neighbour is linked or stands before. Without recursion, because clients
 * choose its depth.
 */
function inOrder<Key>(
  items: ReadonlyMap<Key, Item<Key>>,
  linked: ReadonlySet<Key>,
  strict: boolean,
): readonly Item<Key>[] {
  if (areInOrder(items, linked)) return [...items.values()]
  const ordered: Item<Key>[] = []
  const done = new Set<Key>()
  for (const first of items.values()) {
    const waiting = new Map<Key, Item<Key>>()
    let item = first
    for (;;) {
      const { key, neighbour } = item
      if (neighbour !== null && waiting.has(neighbour)) throw circular()
      if (done.has(key)) break
      done.add(key)
      const next = neighbour === null || linked.has(neighbour) ? null : items.get(neighbour)
      if (next === null) {
        ordered.push(item)
        break
      }
      if (next === undefined) {
        if (strict) throw unplaced(item)
        ordered.push({ ...item, position: 'end', neighbour: null })
        break
      }
      waiting.set(key, item)
      item = next
    }
    for (const one of [...waiting.values()].reverse()) ordered.push(one)
  }
  return ordered
}

function areInOrder<Key>(items: ReadonlyMap<Key, Item<Key>>, linked: ReadonlySet<Key>): boolean {
  const before = new Set<Key>()
  for (const { key, neighbour } of items.values()) {
    if (neighbour !== null && !linked.has(neighbour) && !before.has(neighbour)) return false
    before.add(key)
  }
  return true
}

function neighbourOf(position: Position): { readonly id: number; readonly __type?: Uid } | null {
  if (typeof position === 'string') return null
  const { __type } = position
  return { id: 'before' in position ? position.before : position.after, ...(__type === undefined ? {} : { __type }) }
}

function unplaced({ ref, position }: Pick<Item<unknown>, 'ref' | 'position'>): ValidationError {
  return new ValidationError(
    `There was a problem connecting relation with id ${ref.id} at position ${JSON.stringify(position)}. The relation with id ${neighbourOf(position)?.id} needs to be connected first.`,
  )
}

function circular(): ValidationError {
  return new ValidationError(
    'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it',
  )
}

/**
 * Returns the links that stay, by the number that must be added to the whole part of their place, so that `list` is
 * numbered from 1 to n, each place plus `fraction`. v4 numbers in this way after every change, and inserts beside a
 * link at half a step, which is free between whole numbers, but may be taken between others. A fraction of the old
 * place is dropped.
 */
export function shifts(
  list: readonly number[],
  current: readonly PlacedLink[],
  fraction: number,
): Map<number, number[]> {
  const places = new Map(list.map((id, i) => [id, i + 1 + fraction]))
  const moved = new Map<number, number[]>()
  for (const { id, order } of current) {
    const place = places.get(id)
    if (place === undefined || place === order) continue
    const by = place - Math.floor(order ?? 0)
    const ids = moved.get(by)
    if (ids === undefined) moved.set(by, [id])
    else ids.push(id)
  }
  return moved
}
