// The places of linked entries: which number each link gets so that the stored order is the wanted one (B-4.30 to B-4.33).

import { ValidationError } from '../errors.ts'
import type { Position, Ref } from './relation-input.ts'

/** A link as it stands: the target and its place. */
export interface Placed {
  readonly id: number
  readonly order: number | null
}

/** The list after disconnecting and connecting. Throws ValidationError for impossible positions. */
export function arrange(
  current: readonly number[],
  connect: readonly { readonly ref: Ref; readonly position: Position }[],
  disconnect: ReadonlySet<number>,
): number[] {
  const seen = new Set<number>()
  for (const { ref } of connect) {
    if (seen.has(ref.id)) {
      throw new ValidationError(
        `The relation with id ${ref.id} is already connected. You cannot connect the same relation twice.`,
      )
    }
    seen.add(ref.id)
  }
  const list = current.filter(id => !disconnect.has(id) && !seen.has(id))
  for (const { ref, position } of connect) list.splice(indexFor(list, ref.id, position), 0, ref.id)
  return list
}

function indexFor(list: readonly number[], id: number, position: Position): number {
  if (position === 'start') return 0
  if (position === 'end') return list.length
  const wanted = 'before' in position ? position.before : position.after
  const found = list.indexOf(wanted)
  if (found === -1) {
    throw new ValidationError(
      `There was a problem connecting relation with id ${id} at position ${JSON.stringify(position)}. The relation with id ${wanted} needs to be connected first.`,
    )
  }
  return 'before' in position ? found : found + 1
}

/**
 * The links that stay, by how far they must move for `list` to be numbered from 1 to n. v4 numbers so after every change,
 * and finds a place beside a link by half a step: between whole numbers it is free, between others it may be taken.
 */
export function shifts(list: readonly number[], current: readonly Placed[]): Map<number, number[]> {
  const places = new Map(list.map((id, i) => [id, i + 1]))
  const moved = new Map<number, number[]>()
  for (const { id, order } of current) {
    const place = places.get(id)
    const by = place === undefined ? 0 : place - (order ?? 0)
    if (by === 0) continue
    const known = moved.get(by)
    if (known === undefined) moved.set(by, [id])
    else known.push(id)
  }
  return moved
}
