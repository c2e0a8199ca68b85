// Gives the components of a list keys that they keep while they are moved, and while a save gives them ids.

/** The component and the id by which an item of a list is recognized. */
export interface ItemMark {
  readonly component: string
  /** Undefined for one that is not stored yet. */
  readonly id: unknown
}

export interface KeyedItem extends ItemMark {
  readonly key: string
}

/** The marks of the values of a zone, or of a repeatable component. */
export const marksOf = (values: unknown, component: string | null): readonly ItemMark[] =>
  Array.isArray(values)
    ? values.map(one => ({ component: component ?? String(one?.__component), id: one?.id ?? undefined }))
    : []

const isSame = (left: ItemMark, right: ItemMark): boolean => left.component === right.component && left.id === right.id

/**
 * The items of a list that may have changed from outside. An item keeps its key if one with its id was there; an item
 * without an id, or one that has just got its id, if one of its component that had none was at its place.
 */
export function alignKeys(
  before: readonly KeyedItem[],
  marks: readonly ItemMark[],
  newKey: () => string,
): readonly KeyedItem[] {
  if (before.length === marks.length && marks.every((mark, index) => isSame(mark, before[index]!))) return before
  const used = new Set<KeyedItem>()
  const take = (item: KeyedItem | undefined) => {
    if (item === undefined || used.has(item)) return null
    used.add(item)
    return item.key
  }
  const byId = marks.map(mark => (mark.id === undefined ? null : take(before.find(one => isSame(one, mark)))))
  return marks.map((mark, index) => {
    const there = before[index]
    const fits = there !== undefined && there.component === mark.component && there.id === undefined
    return { ...mark, key: byId[index] ?? (fits ? take(there) : null) ?? newKey() }
  })
}

/** The list with one item at another place. */
export function withMoved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const moved = items[from]!
  return items.toSpliced(from, 1).toSpliced(to, 0, moved)
}

/** The index that an item has after it was dropped before or after another one. */
export function indexAfterDrop(from: number, target: number, position: 'before' | 'after' | 'on'): number {
  const gap = position === 'after' ? target + 1 : target
  return gap > from ? gap - 1 : gap
}
