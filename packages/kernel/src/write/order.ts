// Computes the places of linked entries, so that the stored order is the requested one (B-4.30 to B-4.33).

import { ValidationError } from '../errors.ts'
import type { Position, Ref } from './relation-input.ts'

/** A stored link: the target and its place. */
export interface Placed {
  readonly id: number
  readonly order: number | null
}

type Connect = readonly { readonly ref: Ref; readonly position: Position }[]

/** The list after disconnecting and connecting. Throws ValidationError for impossible positions. */
export function arrange(current: readonly number[], connect: Connect, disconnect: ReadonlySet<number>): number[] {
  return arrangeBy(({ id }) => id, current, connect, disconnect)
}

/** The same for entries of several types. */
export function arrangeRefs(current: readonly Ref[], connect: Connect, disconnect: readonly Ref[]): Ref[] {
  const keyOf = ({ id, type }: Ref) => `${type} ${id}`
  const refs = new Map([...current, ...connect.map(one => one.ref)].map(ref => [keyOf(ref), ref]))
  const gone = new Set(disconnect.map(keyOf))
  return arrangeBy(keyOf, current.map(keyOf), connect, gone).map(key => refs.get(key)!)
}

function arrangeBy<Key>(
  keyOf: (ref: Ref) => Key,
  current: readonly Key[],
  connect: Connect,
  disconnect: ReadonlySet<Key>,
): Key[] {
  const seen = new Set<Key>()
  for (const { ref } of connect) {
    const key = keyOf(ref)
    if (seen.has(key)) {
      throw new ValidationError(
        `The relation with id ${ref.id} is already connected. You cannot connect the same relation twice.`,
      )
    }
    seen.add(key)
  }
  const list = current.filter(key => !disconnect.has(key) && !seen.has(key))
  for (const { ref, position } of connect) list.splice(indexFor(keyOf, list, ref, position), 0, keyOf(ref))
  return list
}

function indexFor<Key>(keyOf: (ref: Ref) => Key, list: readonly Key[], ref: Ref, position: Position): number {
  if (position === 'start') return 0
  if (position === 'end') return list.length
  const wanted = 'before' in position ? position.before : position.after
  const found = list.indexOf(keyOf({ id: wanted, type: position.__type ?? ref.type }))
  if (found === -1) {
    throw new ValidationError(
      `There was a problem connecting relation with id ${ref.id} at position ${JSON.stringify(position)}. The relation with id ${wanted} needs to be connected first.`,
    )
  }
  return 'before' in position ? found : found + 1
}

/**
 * The links that stay, by the number that must be added to the whole part of their place, so that `list` is numbered
 * from 1 to n, each place plus `fraction`. v4 numbers in this way after every change, and inserts beside a link at half
 * a step, which is free between whole numbers, but may be taken between others. A fraction of the old place is dropped.
 */
export function shifts(list: readonly number[], current: readonly Placed[], fraction: number): Map<number, number[]> {
  const places = new Map(list.map((id, i) => [id, i + 1 + fraction]))
  const moved = new Map<number, number[]>()
  for (const { id, order } of current) {
    const place = places.get(id)
    if (place === undefined || place === order) continue
    const by = place - Math.floor(order ?? 0)
    const known = moved.get(by)
    if (known === undefined) moved.set(by, [id])
    else known.push(id)
  }
  return moved
}
