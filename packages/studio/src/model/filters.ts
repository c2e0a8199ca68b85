// The filters of lists: which operators an attribute has, and how chosen filters become parameters of the API.

import type { Column } from './columns.ts'
import type { Parameter } from './query-string.ts'
import type { ContentType } from './types.ts'

/** The kind of input for the value of a filter. */
export type FilterInput = 'text' | 'number' | 'date' | 'datetime' | 'time' | 'choice' | 'boolean' | 'none'

export type Operator =
  | '$eq'
  | '$ne'
  | '$eqi'
  | '$containsi'
  | '$notContainsi'
  | '$startsWithi'
  | '$endsWithi'
  | '$lt'
  | '$lte'
  | '$gt'
  | '$gte'
  | '$null'
  | '$notNull'

/** A chosen filter: the attribute, the operator and the value as text. */
export type Filter = readonly [name: string, operator: Operator, value: string]

const texts: readonly Operator[] = [
  '$containsi',
  '$notContainsi',
  '$eqi',
  '$startsWithi',
  '$endsWithi',
  '$null',
  '$notNull',
]
const ordered: readonly Operator[] = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$null', '$notNull']
const equal: readonly Operator[] = ['$eq', '$ne', '$null', '$notNull']

const operatorsByType: Readonly<Record<string, readonly Operator[]>> = {
  string: texts,
  text: texts,
  richtext: texts,
  email: texts,
  uid: texts,
  relation: texts,
  json: ['$containsi', '$notContainsi', '$null', '$notNull'],
  blocks: ['$containsi', '$notContainsi', '$null', '$notNull'],
  integer: ordered,
  biginteger: ordered,
  decimal: ordered,
  float: ordered,
  date: ordered,
  time: ordered,
  datetime: ordered,
  timestamp: ordered,
  enumeration: equal,
  boolean: ['$eq', '$null', '$notNull'],
}

/** The operators of an attribute, the usual one first; none where it cannot be filtered. */
export const operatorsOf = ({ type }: Pick<Column, 'type'>): readonly Operator[] => operatorsByType[type] ?? []

const inputsByType: Readonly<Record<string, FilterInput>> = {
  integer: 'number',
  biginteger: 'number',
  decimal: 'number',
  float: 'number',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
  enumeration: 'choice',
  boolean: 'boolean',
}

/** Returns the kind of input for the value of a filter. */
export const inputOf = ({ type }: Pick<Column, 'type'>, operator: Operator): FilterInput =>
  operator === '$null' || operator === '$notNull' ? 'none' : (inputsByType[type] ?? 'text')

/** The state of entries that a list shows. */
export type StateFilter = 'draft' | 'published'

export interface ListFilter {
  readonly filters: readonly Filter[]
  readonly state: StateFilter | null
}

/**
 * The parameter `filters` of the API. A relation is compared by the main field of its target; filters of attributes that
 * the type does not have, as an old address may name, are left out.
 */
export function filtersParameter(
  type: ContentType,
  columns: readonly Column[],
  { filters, state }: ListFilter,
  mainFieldOf: (uid: string) => string,
): readonly Parameter[] {
  const conditions = filters.flatMap(([name, operator, value]): Parameter[] => {
    const column = columns.find(one => one.name === name)
    if (column === undefined || !operatorsOf(column).includes(operator)) return []
    const comparison = { [operator]: inputOf(column, operator) === 'none' ? 'true' : value }
    if (column.type !== 'relation') return [{ [name]: comparison }]
    const target = type.attributes.find(one => one.name === name)?.options.target
    const isEmpty = operator === '$null' || operator === '$notNull'
    return [{ [name]: { [isEmpty ? 'id' : mainFieldOf(String(target))]: comparison } }]
  })
  if (state !== null) conditions.push({ publishedAt: { [state === 'draft' ? '$null' : '$notNull']: 'true' } })
  return conditions
}
