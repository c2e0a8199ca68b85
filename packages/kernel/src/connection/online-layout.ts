// The indexes that are made while others read and write, as layouts of tables. Which attributes they may name was checked
// when the model was frozen. Runs no SQL.

import { UsageError } from '../errors.ts'
import type { ContentType, IndexDefinition, LinkTable } from '../model/content-type.ts'
import { indexKeysOf } from '../model/index-keys.ts'
import type { IndexLayout } from './index-layout.ts'

/**
 * The beginning of the names of these indexes. v4 has no such names, so it never takes one of them for its own, and an
 * owner sees who has made them.
 */
export const onlinePrefix = 'plinth_'

/** The indexes by table. */
export function onlineIndexesOf(types: readonly ContentType[]): ReadonlyMap<string, readonly IndexLayout[]> {
  const byTable = new Map<string, IndexLayout[]>()
  for (const type of types) {
    for (const definition of type.indexes) {
      if (definition.isOnline !== true) continue
      const { table, index } = layoutOf(type, definition)
      const indexes = byTable.get(table) ?? []
      byTable.set(table, indexes)
      if (!indexes.some(one => one.name === index.name)) indexes.push(index)
    }
  }
  return byTable
}

function layoutOf(type: ContentType, { attributes }: IndexDefinition): { table: string; index: IndexLayout } {
  const keys = indexKeysOf(attributes)
  const first = type.attributes.get(keys[0]!.name)
  if (first?.kind === 'relation' && first.storage.kind === 'links') return linkIndex(first.storage)
  const columns = keys.map(({ name }) => columnOf(type, name))
  const descending = keys.flatMap(({ isDescending }, i) => (isDescending ? [columns[i]!] : []))
  // The index of a relation alone serves no sort.
  const isSort = type.attributes.get(keys.at(-1)!.name)?.kind === 'scalar'
  // Sorted pages have the id as their last key. With the columns that rules filter by, the index alone answers them.
  const scopes = type.scopes.map(name => columnOf(type, name))
  const all = [...new Set([...columns, ...(isSort ? ['id', ...scopes] : [])])]
  return { table: type.table, index: indexLayout(type.table, all, descending) }
}

/** The index of links by the entries that they lead to, for filters by these; it alone answers which entries link there. */
function linkIndex({ table, from, to }: LinkTable) {
  return { table, index: indexLayout(table, [to, from], []) }
}

function indexLayout(table: string, columns: readonly string[], descending: readonly string[]): IndexLayout {
  const names = columns.map(name => (descending.includes(name) ? `${name}_desc` : name))
  const name = `${onlinePrefix}${table}_${names.join('_')}`
  return { name, columns, unique: false, isOnline: true, ...(descending.length === 0 ? {} : { descending }) }
}

function columnOf(type: ContentType, name: string): string {
  if (name === 'id') return 'id'
  const attribute = type.attributes.get(name)
  if (attribute?.kind === 'scalar') return attribute.column
  if (attribute?.kind === 'relation' && attribute.storage.kind === 'column') return attribute.storage.column
  throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${type.uid}: the index names "${name}", which has no column`)
}
