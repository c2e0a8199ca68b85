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
 * The order number of each id of `list`. Links that stay keep theirs where the sequence allows; new ones go between their
 * neighbours, so that a long list is not rewritten for one insertion.
 */
export function assignOrders(list: readonly number[], current: readonly Placed[]): Map<number, number> {
  const kept = new Map(current.map(({ id, order }) => [id, order]))
  const orders = new Map<number, number>()
  let last = 0
  for (let i = 0; i < list.length; ) {
    const own = kept.get(list[i]!)
    if (own !== undefined && own !== null && own > last) {
      orders.set(list[i]!, own)
      last = own
      i++
      continue
    }
    // A run of ids without a usable number, up to the next one that has one.
    let end = i + 1
    while (end < list.length && !((kept.get(list[end]!) ?? Number.NEGATIVE_INFINITY) > last)) end++
    const next = end < list.length ? kept.get(list[end]!)! : last + (end - i) + 1
    const gap = (next - last) / (end - i + 1)
    // Halved too often, numbers run into each other: begin anew.
    if (gap < 1e-6) return new Map(list.map((id, place) => [id, place + 1]))
    for (let k = i; k < end; k++) orders.set(list[k]!, last + gap * (k - i + 1))
    last = orders.get(list[end - 1]!)!
    i = end
  }
  return orders
}
