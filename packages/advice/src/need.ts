// Says which index a list needs: that of the columns that it compares with a value, then of those that it sorts by. Knows
// no database and no counts.

import type { ContentType, FilteredBy, ListSearch, Uid } from '@plinth/kernel'

/** An attribute in an index. */
export interface NeededKey {
  readonly name: string
  readonly isDescending: boolean
}

/** An index that serves a search. */
export interface Need {
  /** The content type or component whose table it is on. */
  readonly uid: Uid
  /** The attributes that are compared with a value, in any order. */
  readonly equal: readonly string[]
  /** The attributes behind them: those of the sort, or one that is compared with a range. */
  readonly keys: readonly NeededKey[]
  readonly isSort: boolean
  /** `articles filtered by category and sorted by publishedOn:desc`. */
  readonly text: string
}

/** The maximum number of attributes of an index that is advised. */
const maxKeys = 4

/** Finds a content type or component. */
export type FindType = (uid: Uid) => ContentType | undefined

/** The indexes that a search needs, the most important first; none if it needs none, or if no index would help. */
export function needsOf(search: ListSearch, findType: FindType): readonly Need[] {
  const text = textOf(search)
  const linked = search.filters.filter(one => one.path.length > 1 && isServable(one, findType))
  // Links lead to few entries, if these are found by an index; all others follow from them.
  if (linked.length > 0) return linked.flatMap(one => linkedNeed(one, text) ?? [])
  const own = search.filters.filter(one => one.path.length === 1)
  // An entry that is found by its id needs nothing else.
  if (own.some(one => one.path[0] === 'id' && one.comparison === 'equal')) return []
  const servable = own.filter(one => isServable(one, findType))
  const equal = [...new Set(servable.filter(one => one.comparison === 'equal').map(one => one.path[0]!))].sort()
  const sort = sortKeysOf(search, findType)
  const range = servable.find(one => one.comparison === 'range' && !equal.includes(one.path[0]!))
  const rest = sort.filter(one => !equal.includes(one.name))
  const isSort = rest.length > 0
  const keys = isSort ? rest : range === undefined ? [] : [{ name: range.path[0]!, isDescending: false }]
  if (equal.length + keys.length === 0) return []
  const used = equal.slice(0, maxKeys - 1)
  return [{ uid: search.type.uid, equal: used, keys: keys.slice(0, maxKeys - used.length), isSort, text }]
}

function linkedNeed({ path, uid, comparison }: FilteredBy, text: string): Need | null {
  const name = path.at(-1)!
  if (name === 'id') return null
  const isEqual = comparison === 'equal'
  const keys = isEqual ? [] : [{ name, isDescending: false }]
  return { uid, equal: isEqual ? [name] : [], keys, isSort: false, text }
}

/** Returns whether an index can serve a comparison. */
function isServable({ path, uid, comparison }: FilteredBy, findType: FindType): boolean {
  return comparison !== 'other' && (path.at(-1) === 'id' || isIndexable(findType(uid), path.at(-1)!))
}

/** Returns whether an index on the attribute is worth its writes; on servers, one of long texts serves no sort. */
function isIndexable(type: ContentType | undefined, name: string): boolean {
  const attribute = type?.attributes.get(name)
  return attribute?.kind === 'scalar' && !['json', 'text'].includes(attribute.scalar.storage)
}

/**
 * The attributes that a list is sorted by before its id; none if another type's come first. An index that is read from its
 * end serves the same keys in the other direction, if the id is turned, too.
 */
function sortKeysOf({ sort, type }: ListSearch, findType: FindType): NeededKey[] {
  const keys: NeededKey[] = []
  let isTurned = false
  for (const { path, isDescending } of sort) {
    if (path[0] === 'id') {
      isTurned = isDescending
      break
    }
    if (path.length > 1 || !isIndexable(findType(type.uid), path[0]!)) return []
    if (!keys.some(one => one.name === path[0])) keys.push({ name: path[0]!, isDescending })
  }
  return keys.map(one => (isTurned ? { ...one, isDescending: !one.isDescending } : one))
}

/** `articles filtered by author.name and sorted by title`. */
function textOf({ type, filters, sort }: ListSearch): string {
  const by = [...new Set(filters.filter(one => one.comparison !== 'other').map(one => one.path.join('.')))].sort()
  const keys = sort.map(({ path, isDescending }) => path.join('.') + (isDescending ? ':desc' : ''))
  const parts = [
    ...(by.length === 0 ? [] : [`filtered by ${by.join(', ')}`]),
    ...(keys.length === 0 || keys.join() === 'id' ? [] : [`sorted by ${keys.join(', ')}`]),
  ]
  return `${type.pluralName} ${parts.join(' and ')}`
}

/** The names as config/database has them: `title`, or a list. */
export function namesOf({ equal, keys }: Need): readonly string[] {
  return [...equal, ...keys.map(one => (one.isDescending ? `${one.name}:desc` : one.name))]
}
