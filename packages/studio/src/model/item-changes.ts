// Says how a list of components differs from what it was, for people: what was added, removed, changed and moved.

import { isEqual } from './changes.ts'
import { entryName } from './entry-name.ts'
import { componentsIn, keyOf } from './known-ids.ts'
import type { Attribute, Component, Entry, Model } from './types.ts'

type Values = Readonly<Record<string, unknown>>

/** An attribute of a component that differs. */
export interface ValueChange {
  readonly attribute: Attribute
  readonly before: unknown
  readonly after: unknown
}

/** The change of one component. */
export interface ItemChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved'
  /** The name of its component: "Quote". */
  readonly label: string
  /** Its own name, such as the text of its main field; null if it has none. */
  readonly title: string | null
  /** Its place, from 1 on: of a removed one the former place. */
  readonly place: number
  readonly values: readonly ValueChange[]
}

/** The changes from one value of an attribute with components to another one. */
export function itemChanges(
  before: unknown,
  after: unknown,
  { options }: Attribute,
  model: Model,
): readonly ItemChange[] {
  const old = componentsIn(before)
  const now = componentsIn(after)
  const oldByKey = new Map(old.map(item => [keyOf(item), item]))
  const keys = new Set(now.filter(({ id }) => id !== undefined).map(keyOf))
  const componentOf = (item: Values) => model.components.get(String(item.__component ?? options.component))
  const describe = (item: Values, place: number): Pick<ItemChange, 'label' | 'title' | 'place'> => ({
    ...nameOf(item, componentOf(item)),
    place: place + 1,
  })
  const stayed = old.filter(item => keys.has(keyOf(item))).map(keyOf)
  const moved = movedKeys(stayed, now.filter(item => oldByKey.has(keyOf(item))).map(keyOf))
  const changes: ItemChange[] = []
  for (const [place, item] of now.entries()) {
    const former = item.id === undefined ? undefined : oldByKey.get(keyOf(item))
    if (former === undefined) changes.push({ kind: 'added', ...describe(item, place), values: [] })
    else {
      const values = valueChanges(former, item, componentOf(item)?.attributes ?? [])
      if (values.length > 0) changes.push({ kind: 'changed', ...describe(item, place), values })
      else if (moved.has(keyOf(item))) changes.push({ kind: 'moved', ...describe(item, place), values })
    }
  }
  for (const [place, item] of old.entries())
    if (!keys.has(keyOf(item))) changes.push({ kind: 'removed', ...describe(item, place), values: [] })
  return changes
}

/** The name of the component, and its first text. */
function nameOf(item: Values, component: Component | undefined): Pick<ItemChange, 'label' | 'title'> {
  if (component === undefined) return { label: String(item.__component ?? ''), title: null }
  const title = entryName(component, item as Entry)
  return { label: component.label, title: title.startsWith('#') ? null : title }
}

const valueChanges = (before: Values, after: Values, attributes: readonly Attribute[]): readonly ValueChange[] =>
  attributes
    .filter(({ name }) => after[name] !== undefined && !isEqual(before[name] ?? null, after[name]))
    .map(attribute => ({ attribute, before: before[attribute.name], after: after[attribute.name] }))

/** The keys that have to move for one order to become the other: all but those of the longest part that keeps its order. */
function movedKeys(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(before.map((key, place) => [key, place]))
  // The longest rising sequence of former places that ends with each key.
  const best: (readonly string[])[] = []
  for (const [index, key] of after.entries()) {
    const earlier = best.slice(0, index).filter(run => places.get(run.at(-1)!)! < places.get(key)!)
    const longest = earlier.reduce<readonly string[]>((left, right) => (right.length > left.length ? right : left), [])
    best.push([...longest, key])
  }
  const inOrder = best.reduce<readonly string[]>((left, right) => (right.length > left.length ? right : left), [])
  return new Set(after.filter(key => !inOrder.includes(key)))
}
