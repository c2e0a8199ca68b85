// Copies the values of an entry for a new one: a duplicate, or a translation.

import { emptyValue } from './first-values.ts'
import type { Attribute, ContentType, Entry, Model } from './types.ts'

type Values = Readonly<Record<string, unknown>>

export interface Copy {
  readonly values: Record<string, unknown>
  /** The attributes that are not copied, because no two entries can have the same. */
  readonly leftOut: readonly Attribute[]
}

/**
 * The values of a duplicate. Unique values are left out, and links that the entry would lose by it. Components become new
 * ones.
 */
export const copyForDuplicate = (type: ContentType, entry: Entry, model: Model): Copy =>
  copy(type, entry, model, attribute => attribute.unique || isExclusive(attribute))

/**
 * The values of a translation. Links to entries that have translations themselves are left out, because they belong to one
 * language. What is the same in all languages is not: the server copies it.
 */
export const copyForTranslation = (type: ContentType, entry: Entry, model: Model): Copy =>
  copy(type, entry, model, attribute => {
    if (!attribute.isLocalized) return false
    const target = model.typesByUid.get(String(attribute.options.target))
    return attribute.unique || isExclusive(attribute) || target?.isLocalized === true
  })

function copy(type: ContentType, entry: Entry, model: Model, isLeftOut: (attribute: Attribute) => boolean): Copy {
  const leftOut = type.attributes.filter(one => isLeftOut(one) && !isEmpty(entry[one.name]))
  const values = type.attributes.map(attribute => {
    const isCopied = !attribute.isPrivate && !isLeftOut(attribute)
    const value = isCopied ? copyValue(entry[attribute.name] ?? null, attribute, model) : emptyValue(attribute)
    return [attribute.name, value] as const
  })
  return { values: Object.fromEntries(values), leftOut }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** Returns whether a linked entry belongs to one entry alone, so that a copy would take it away. */
const isExclusive = ({ type, options }: Attribute): boolean =>
  type === 'relation' && /^(?:oneToOne|oneToMany|morphOne|morphMany)$/.test(String(options.relation))

function copyValue(value: unknown, { type, options }: Attribute, model: Model): unknown {
  if (value === null || (type !== 'component' && type !== 'dynamiczone')) return value
  const one = (item: unknown) =>
    copyComponent(item as Values, String((item as Values).__component ?? options.component), model)
  return Array.isArray(value) ? value.map(one) : one(value)
}

/** The values of a new component that is a copy: without its id and those of the components in it. */
export function copyComponent({ id: _id, ...values }: Values, uid: string, model: Model): Values {
  const attributes = model.components.get(uid)?.attributes ?? []
  const copied = attributes
    .filter(({ name }) => name in values)
    .map(attribute => [attribute.name, copyValue(values[attribute.name], attribute, model)] as const)
  return { ...values, ...Object.fromEntries(copied) }
}
