// Says how a list of links changes, so that only the changes are sent: links that the user does not see, and those that
// somebody else adds meanwhile, stay.

import { type Link, linkKey } from './relations.ts'

interface LinkRef {
  readonly id: number
  readonly __type?: string
}

/** A link that is added, or moved behind another one. */
export interface Connection extends LinkRef {
  readonly position:
    | { readonly start: true }
    | { readonly end: true }
    | { readonly after: number; readonly __type?: string }
}

/** The changes of a to-many relation, as the API accepts them. */
export interface LinkChanges {
  readonly disconnect?: readonly (number | LinkRef)[]
  readonly connect?: readonly Connection[]
}

/** The changes that make `after` of `before`. */
export function linkChanges(before: readonly Link[], after: readonly Link[]): LinkChanges {
  const keysAfter = new Set(after.map(linkKey))
  const gone = before.filter(link => !keysAfter.has(linkKey(link))).map(refOf)
  const connect = connections(before, after)
  return {
    ...(gone.length > 0 && { disconnect: gone.map(ref => (ref.__type === undefined ? ref.id : ref)) }),
    ...(connect.length > 0 && { connect }),
  }
}

const refOf = ({ id, __type }: Link): LinkRef => ({ id, ...(__type !== undefined && { __type }) })

/** Each link that is new or has another place, behind the one before it. The others keep their order. */
function connections(before: readonly Link[], after: readonly Link[]): readonly Connection[] {
  const places = new Map(before.map((link, place) => [linkKey(link), place]))
  const staying = longestIncreasing(after.map(link => places.get(linkKey(link)) ?? null))
  return after.flatMap((link, index) => {
    if (staying.has(index)) return []
    const previous = after[index - 1]
    // The last links go to the end, also behind links that the user does not see.
    const isLast = after.slice(index).every((_, offset) => !staying.has(index + offset))
    const position = isLast
      ? ({ end: true } as const)
      : previous === undefined
        ? ({ start: true } as const)
        : { after: previous.id, ...(previous.__type !== undefined && { __type: previous.__type }) }
    return [{ ...refOf(link), position }]
  })
}

/** The indexes of a longest part of the list that is in order. Null stands for what has no place yet. */
function longestIncreasing(places: readonly (number | null)[]): ReadonlySet<number> {
  /** The index of the smallest last place of a part of each length. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, place] of places.entries()) {
    if (place === null) continue
    let length = ends.length
    while (length > 0 && places[ends[length - 1]!]! >= place) length--
    previous[index] = ends[length - 1]
    ends[length] = index
  }
  const indexes = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) indexes.add(index)
  return indexes
}
