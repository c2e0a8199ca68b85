// The values with which a form begins.

import { isToMany } from './relations.ts'
import type { Attribute, Component, ContentType, Entry } from './types.ts'

type Values = Record<string, unknown>
type Components = ReadonlyMap<string, Component>

/** The values of a stored entry, or those of a new one. A value that is not answered is undefined. */
export function firstValues(
  { attributes }: ContentType,
  entry: Entry | null,
  components: Components = new Map(),
): Values {
  return entry === null
    ? emptyValues(attributes, components)
    : Object.fromEntries(attributes.map(attribute => [attribute.name, storedValue(attribute, entry)]))
}

const storedValue = ({ name, isPrivate, type, options }: Attribute, entry: Entry): unknown =>
  // Of links that are not answered nothing is known, and a relation without links may come as null.
  isPrivate || (type === 'relation' && !(name in entry))
    ? undefined
    : (entry[name] ?? (type === 'relation' && isToMany(options) ? [] : null))

/** Deeper components are not filled: a component may require itself. */
const maxDepth = 8

/** The values of a new entry or component. */
export const emptyValues = (attributes: readonly Attribute[], components: Components, depth = 0): Values =>
  Object.fromEntries(attributes.map(attribute => [attribute.name, emptyValue(attribute, components, depth)]))

/** The value of something new: the default of the schema, components that are required, an empty list, or null. */
export function emptyValue(attribute: Attribute, components: Components = new Map(), depth = 0): unknown {
  const { type, isPrivate, options } = attribute
  if (isPrivate) return undefined
  if (options.default !== undefined) return options.default
  if (type === 'component') return requiredComponents(attribute, components, depth)
  if (type === 'dynamiczone') return []
  if (type === 'media' && options.multiple === true) return []
  if (type === 'relation') return isToMany(options) ? [] : null
  return null
}

/** As many components as the schema demands. */
function requiredComponents({ required, options }: Attribute, components: Components, depth: number): unknown {
  const component = components.get(String(options.component))
  const isRepeatable = options.repeatable === true
  if (!required || component === undefined || depth >= maxDepth) return isRepeatable ? [] : null
  const make = () => emptyValues(component.attributes, components, depth + 1)
  return isRepeatable ? Array.from({ length: Number(options.min ?? 0) }, make) : make()
}
