// Turns entries of the API into flat ones and back. Works by the schema alone, because a value of JSON may look like anything.

import type { Attribute, Entry, Model } from './types.ts'

type Values = Readonly<Record<string, unknown>>

/** An entry as the API answers it. */
export interface WireEntry {
  readonly id: number
  readonly attributes: Values
}

/** The attributes that every entry may have beside those of its schema. */
const ownNames = ['createdAt', 'updatedAt', 'publishedAt', 'locale']

/** The entry with its attributes beside its id; linked entries, files and components in the same form. */
export function readEntry({ id, attributes }: WireEntry, schema: readonly Attribute[], model: Model): Entry {
  const own = Object.fromEntries(ownNames.filter(name => name in attributes).map(name => [name, attributes[name]]))
  const translations = attributes.localizations as { readonly data?: readonly WireEntry[] } | undefined
  return {
    id,
    ...own,
    ...(translations?.data && { localizations: translations.data.map(flatten) }),
    ...readValues(attributes, schema, model),
  }
}

/** The values of a component. */
export function readValues(values: Values, schema: readonly Attribute[], model: Model): Values {
  return Object.fromEntries(
    schema.filter(({ name }) => name in values).map(one => [one.name, readValue(values[one.name], one, model)]),
  )
}

function readValue(value: unknown, { type, options }: Attribute, model: Model): unknown {
  switch (type) {
    case 'relation':
    case 'media':
      return readLinks(value)
    case 'component':
      return options.repeatable === true
        ? listOf(value).map(item => readComponent(item, String(options.component), model))
        : readComponent(value, String(options.component), model)
    case 'dynamiczone':
      return listOf(value).map(item => readComponent(item, String((item as Values).__component), model))
    default:
      return value
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Linked entries come below `data`, those of polymorphic relations without. */
function readLinks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flatten)
  const { data } = (value ?? {}) as { readonly data?: unknown }
  if (data === undefined) return value === null || value === undefined ? null : flatten(value)
  return Array.isArray(data) ? data.map(flatten) : data === null ? null : flatten(data)
}

function flatten(value: unknown): unknown {
  const { id, attributes, ...rest } = value as WireEntry & Values
  return attributes === undefined ? value : { id, ...rest, ...attributes }
}

function readComponent(value: unknown, uid: string, model: Model): unknown {
  if (value === null || value === undefined) return null
  const { id, __component, ...values } = value as Values
  const component = model.components.get(uid)
  const read = component === undefined ? values : readValues(values, component.attributes, model)
  return { id, ...(__component !== undefined && { __component }), ...read }
}
