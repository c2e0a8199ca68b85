// The links of relations: their number, the types of their entries, and the queries for entries that can be linked.

import { isReadable, mayDo } from './build.ts'
import { entryName } from './entry-name.ts'
import type { Parameter } from './query-string.ts'
import type { Attribute, ContentType, Entry, Model } from './types.ts'

/** A linked entry in a form: its id and what names it, and its type if the relation can link several. */
export interface Link {
  readonly id: number
  readonly __type?: string
  readonly [attribute: string]: unknown
}

/** Returns whether the relation links a list of entries. */
export const isToMany = ({ relation }: Attribute['options']): boolean =>
  /(?:ToMany|manyWay|morphMany)$/.test(String(relation))

/** Returns whether the links may lead to entries of several types, which each link names. */
export const isPolymorphic = ({ relation, target }: Attribute['options']): boolean =>
  /^morphTo/.test(String(relation)) && target === undefined

/** The types that the relation can link and whose entries the user may list. */
export function linkableTypes({ options }: Attribute, model: Model): readonly ContentType[] {
  if (isPolymorphic(options)) return model.types.filter(type => mayDo(type, 'find') && !type.isHidden)
  const type = model.typesByUid.get(String(options.target))
  return type !== undefined && mayDo(type, 'find') ? [type] : []
}

/** The type of a linked entry; undefined if the user may not know it. */
export const typeOfLink = (link: Link, { options }: Attribute, model: Model): ContentType | undefined =>
  model.typesByUid.get(link.__type ?? String(options.target))

/** Returns the key that distinguishes the links of a list. */
export const linkKey = ({ id, __type }: Pick<Link, 'id' | '__type'>): string =>
  __type === undefined ? String(id) : `${__type} ${id}`

/** The link to an entry, with its type where the relation needs it. */
export const linkTo = (entry: Entry, type: ContentType, { options }: Attribute): Link =>
  isPolymorphic(options) ? { ...entry, __type: type.uid } : entry

/** The name of a linked entry for people. */
export const linkName = (link: Link, type: ContentType | undefined): string =>
  entryName(type ?? { mainField: 'id' }, link)

/** The attributes that name an entry, its state and its language. */
export function namingFields(type: ContentType): readonly string[] {
  const names = type.mainField === 'id' ? [] : [type.mainField]
  if (type.hasDrafts) names.push('publishedAt')
  if (type.isLocalized) names.push('locale')
  return names.length === 0 ? ['id'] : names
}

/** A search among the entries of a type. */
export interface LinkQuestion {
  readonly text: string
  /** The language of the entry that links; null if it has none. */
  readonly locale: string | null
  /** The ids that are linked already. */
  readonly without: readonly number[]
}

/** The number of entries that are offered at once. */
export const offeredAtOnce = 20

/** The parameters of the list of entries that are offered. */
export function offerParameters(type: ContentType, { text, locale, without }: LinkQuestion) {
  const filters = [searchFilter(type, text), without.length > 0 ? { id: { $notIn: without } } : null]
  const isSortable = type.mainField !== 'id'
  return {
    fields: namingFields(type),
    sort: isSortable ? `${type.mainField}:asc` : 'id:desc',
    pagination: { pageSize: offeredAtOnce, withCount: false },
    filters: { $and: filters.filter(filter => filter !== null) },
    ...(type.isLocalized && { locale: locale ?? 'all' }),
  } satisfies { readonly [name: string]: Parameter }
}

const textTypes = new Set(['string', 'text', 'email', 'uid', 'richtext', 'enumeration'])

/** Entries whose main field has the text in it; those of a number by the number alone. */
function searchFilter({ mainField, attributes }: ContentType, text: string): Parameter {
  if (text === '') return null
  const main = attributes.find(({ name }) => name === mainField)
  if (main !== undefined && textTypes.has(main.type)) return { [mainField]: { $containsi: text } }
  const digits = /^#?(\d{1,15})$/.exec(text)?.[1]
  return { [main === undefined ? 'id' : mainField]: { $eq: digits ?? '0' } }
}

/** Returns whether a filter can follow the attribute from the entries of its type. */
export const isFollowed = ({ rights }: ContentType, attribute: Attribute): boolean =>
  !attribute.isPrivate && isReadable(rights, attribute.name)
