// Turns the values of a form into the data of a write. Components go back with their ids, and linked entries as ids alone.

import { linkChanges } from './link-changes.ts'
import type { Link } from './relations.ts'
import type { Attribute, Model } from './types.ts'

type Values = Readonly<Record<string, unknown>>

/** The data for attributes of an entry or a component. Values that are undefined are left out. */
export function writtenValues(values: Values, schema: readonly Attribute[], model: Model): Record<string, unknown> {
  return Object.fromEntries(
    schema
      .filter(({ name }) => values[name] !== undefined)
      .map(attribute => [attribute.name, writtenValue(values[attribute.name], attribute, model)]),
  )
}

/** The attributes of a form, and the model. */
interface FormModel {
  readonly attributes: readonly Attribute[]
  readonly model: Model
}

/** The data of an update that makes `now` of `before`. Of lists of links, only the changes are sent. */
export function writtenChanges(now: Values, before: Values, { attributes, model }: FormModel): Record<string, unknown> {
  const data = writtenValues(now, attributes, model)
  for (const { name, type } of attributes) {
    const [links, earlier] = [now[name], before[name]]
    if (type !== 'relation' || !Array.isArray(links) || !Array.isArray(earlier)) continue
    const changes = linkChanges(earlier as readonly Link[], links as readonly Link[])
    if (Object.keys(changes).length > 0) data[name] = changes
    else delete data[name]
  }
  return data
}

function writtenValue(value: unknown, { type, options }: Attribute, model: Model): unknown {
  switch (type) {
    case 'relation':
      return writtenLinks(value)
    case 'media':
      return Array.isArray(value) ? value.map(idOf) : value === null ? null : idOf(value)
    case 'component':
      return Array.isArray(value)
        ? value.map(item => writtenComponent(item, String(options.component), model))
        : writtenComponent(value, String(options.component), model)
    case 'dynamiczone':
      return (value as readonly Values[]).map(item => writtenComponent(item, String(item.__component), model))
    default:
      return value
  }
}

const idOf = (value: unknown): unknown => (value as { readonly id: unknown }).id

/** An entry of a polymorphic relation is named with its type. */
function writtenLinks(value: unknown): unknown {
  if (value === null) return null
  const one = (item: unknown) => {
    const { id, __type } = item as { readonly id: unknown; readonly __type?: string }
    return __type === undefined ? id : { id, __type }
  }
  return Array.isArray(value) ? { set: value.map(one) } : one(value)
}

/**
 * Of a component that the panel knows nothing of, everything goes back as it came. What the user may not fill is left out, and
 * stays as it is stored.
 */
function writtenComponent(value: unknown, uid: string, model: Model): unknown {
  if (value === null || value === undefined) return null
  const { id, __component, ...values } = value as Values
  const component = model.components.get(uid)
  return {
    ...(id !== undefined && { id }),
    ...(__component !== undefined && { __component }),
    ...(component === undefined
      ? values
      : writtenValues(
          values,
          component.attributes.filter(({ isReadonly }) => !isReadonly),
          model,
        )),
  }
}
