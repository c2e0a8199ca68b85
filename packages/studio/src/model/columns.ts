// Decides which columns a list can have, which it has at first, and which of them it can be sorted by.

import { isReadable } from './build.ts'
import type { ContentType } from './types.ts'

/** A column of a list. */
export interface Column {
  readonly name: string
  /** The type of its values, as that of an attribute. */
  readonly type: string
  /** Null for columns that every type has, whose names are messages. */
  readonly label: string | null
  readonly isSortable: boolean
}

/** Types that no list can be sorted by. */
const unsorted = new Set(['json', 'blocks', 'richtext', 'media', 'relation', 'component', 'dynamiczone', 'password'])

/** Types whose values say nothing in a cell. */
const unlisted = new Set(['password', 'component', 'dynamiczone', 'json', 'blocks', 'richtext'])

/** All columns that a list of the type can have. */
export function columnsOf(type: ContentType): readonly Column[] {
  const own = (name: string, valueType: string): Column => ({ name, type: valueType, label: null, isSortable: true })
  const attributes = type.attributes
    .filter(({ name, isPrivate }) => !isPrivate && isReadable(type.rights, name))
    .filter(attribute => !unlisted.has(attribute.type) && !isPolymorphic(attribute.options))
    .map(({ name, label, type: valueType }) => ({ name, type: valueType, label, isSortable: !unsorted.has(valueType) }))
  return [
    own('id', 'integer'),
    ...attributes,
    ...(type.hasDrafts ? [own('publishedAt', 'state')] : []),
    ...(type.isLocalized ? [{ ...own('locale', 'locale'), isSortable: false }] : []),
    own('createdAt', 'datetime'),
    own('updatedAt', 'datetime'),
  ]
}

const isPolymorphic = ({ relation }: Readonly<Record<string, unknown>>) => /^morph/.test(String(relation))

const briefTypes = new Set([
  'string',
  'enumeration',
  'email',
  'integer',
  'decimal',
  'float',
  'date',
  'datetime',
  'boolean',
])

/** The names of the columns that a list has at first. */
export function firstColumns(type: ContentType): readonly string[] {
  const all = columnsOf(type)
  const names = new Set(all.map(({ name }) => name))
  if (type.columns !== null) return type.columns.filter(name => names.has(name))
  const brief = all.filter(
    ({ name, label, type: valueType }) => label !== null && name !== type.mainField && briefTypes.has(valueType),
  )
  const own = ['publishedAt', 'locale', 'updatedAt'].filter(name => names.has(name))
  return [type.mainField, ...brief.slice(0, 2).map(({ name }) => name), ...own]
}
