// Drops ids of components that are not stored: the API refuses a component with an id that the entry does not have. A
// component without an id is made anew, with all that is in it.

import type { Attribute, Model } from './types.ts'

type Values = Readonly<Record<string, unknown>>

/** The value with those ids alone that the stored value has in the same place. A value without components stays as it is. */
export function withKnownIds(value: unknown, stored: unknown, attribute: Attribute, model: Model): unknown {
  const { type, options } = attribute
  if (type !== 'component' && type !== 'dynamiczone') return value
  const storedItems = new Map(componentsIn(stored).map(item => [keyOf(item), item]))
  const keep = (item: Values): Values => {
    const match = item.id === undefined ? undefined : storedItems.get(keyOf(item))
    const { id, ...values } = item
    const component = model.components.get(String(item.__component ?? options.component))
    const inner = (component?.attributes ?? [])
      .filter(({ name }) => name in values)
      .map(one => [one.name, withKnownIds(values[one.name], match?.[one.name], one, model)] as const)
    return { ...(match !== undefined && { id }), ...values, ...Object.fromEntries(inner) }
  }
  if (Array.isArray(value)) return value.map(item => keep(item as Values))
  return value === null || value === undefined ? value : keep(value as Values)
}

/** The components of a value: of a repeatable one and of a zone all of them, of another one itself. */
export const componentsIn = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value as Values]

/** Names a component within one attribute. Components of different kinds may have the same id. */
export const keyOf = ({ id, __component }: Values): string => `${__component ?? ''} ${id}`
