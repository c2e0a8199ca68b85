// The tables of a model under names that do not depend on a database: uids, and names of attributes. Data only.

import type { ContentType, Registry, Uid } from '@plinth/kernel'
import { type ColumnKind, componentsTable, layoutOf, type TableLayout } from '@plinth/kernel/tables'

/** A row by the names of its columns; rows of links have no id. */
export type TransferRow = Readonly<Record<string, unknown>>

/** A column of a table that is transferred. */
export interface TransferColumn {
  /** The attribute, or the role of the column in a table of links: `from`, `to`, `order`, … */
  readonly name: string
  /** The name in the database. */
  readonly column: string
  readonly kind: ColumnKind
  /** True if it refers to entries that may be written later: it is set after all entries are there. */
  readonly isLate: boolean
}

/** A table that is transferred. */
export interface TransferTable {
  /**
   * The uid of a type or component, `<uid>.<attribute>` for the links of a relation, and `<uid>#components` for the
   * components of its entries.
   */
  readonly name: string
  /** The name in the database. */
  readonly table: string
  readonly type: ContentType
  /** True if the rows are entries or components, with ids that other rows refer to. */
  readonly hasIds: boolean
  readonly columns: readonly TransferColumn[]
  /** The column that has the uid of a type, by its name; null if there is none. */
  readonly uidColumn: string | null
  readonly references: readonly TransferReference[]
}

/** A column that holds the id of a row of another table. */
export interface TransferReference {
  /** The name of the column, as in `columns`. */
  readonly name: string
  /** The table of the rows, in the database; null if the row names their type in `uidColumn`. */
  readonly table: string | null
}

/** Returns the name of the table that lists the components of a type's entries. */
export function componentsOf(uid: Uid): string {
  return `${uid}#components`
}

/** Returns the name of the table of a relation's links. */
export function linksOf(uid: Uid, attribute: string): string {
  return `${uid}.${attribute}`
}

/**
 * Returns all tables of a model; a table of links follows the entries that it links. `created_by_id` and `updated_by_id`, which
 * name administrators of v4, are left out: administrators are not transferred.
 */
export function transferTables(registry: Registry): TransferTable[] {
  const links = new Map(registry.values().flatMap(linkTablesOf))
  return layoutOf(registry).map(layout => (layout.type === null ? links.get(layout.name)!(layout) : ofType(layout)))
}

function ofType(layout: TableLayout): TransferTable {
  const type = layout.type!
  const names = new Map<string, string>([['id', 'id']])
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'scalar') names.set(attribute.column, attribute.name)
    if (attribute.kind !== 'relation') continue
    if (attribute.storage.kind === 'column') names.set(attribute.storage.column, attribute.name)
    if (attribute.storage.kind === 'morphColumns')
      for (const name of ['target_id', 'target_type']) names.set(name, name)
  }
  const isLate = (column: string) => layout.foreignKeys.some(key => key.column === column)
  const columns = columnsOf(layout, names, isLate)
  const isMorph = names.has('target_type')
  return {
    name: type.uid,
    table: layout.name,
    type,
    hasIds: true,
    columns,
    uidColumn: isMorph ? 'target_type' : null,
    references: referencesOf(layout, columns, isMorph ? 'target_id' : null),
  }
}

/** The names of two columns: an id, and the uid of its type. */
interface TypedReference {
  readonly id: string
  readonly uid: string
}

type MakeTable = (layout: TableLayout) => TransferTable

/** Returns the tables of links that the schema of a type needs, by their names in the database. */
function linkTablesOf(type: ContentType): [string, MakeTable][] {
  const tableOf = (name: string, names: Record<string, string>, typed: TypedReference | null): MakeTable => {
    const namesByColumn = new Map(Object.entries(names))
    return layout => {
      const columns = columnsOf(layout, namesByColumn, () => false)
      const references = referencesOf(layout, columns, typed?.id ?? null)
      return { name, table: layout.name, type, hasIds: false, columns, uidColumn: typed?.uid ?? null, references }
    }
  }
  const tables: [string, MakeTable][] = []
  if (type.hasComponents) {
    const names = {
      entity_id: 'entity',
      component_id: 'component',
      component_type: 'type',
      field: 'field',
      order: 'order',
    }
    tables.push([componentsTable(type.table), tableOf(componentsOf(type.uid), names, { id: 'component', uid: 'type' })])
  }
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' || !attribute.owner) continue
    const { storage } = attribute
    const name = linksOf(type.uid, attribute.name)
    if (storage.kind === 'links') {
      const { from, to, order, inverseOrder } = storage
      const orders = { ...(order && { [order]: 'order' }), ...(inverseOrder && { [inverseOrder]: 'inverseOrder' }) }
      tables.push([storage.table, tableOf(name, { [from]: 'from', [to]: 'to', ...orders }, null)])
    }
    if (storage.kind === 'morphs') {
      const names = {
        [storage.owner]: 'owner',
        [storage.id]: 'to',
        [storage.type]: 'type',
        field: 'field',
        order: 'order',
      }
      tables.push([storage.table, tableOf(name, names, { id: 'to', uid: 'type' })])
    }
  }
  return tables
}

/** Returns the columns with foreign keys, and the one whose type the row names. */
function referencesOf(
  { foreignKeys }: TableLayout,
  columns: readonly TransferColumn[],
  typed: string | null,
): TransferReference[] {
  return columns.flatMap(({ name, column }): TransferReference[] => {
    if (name === typed) return [{ name, table: null }]
    const key = foreignKeys.find(one => one.column === column)
    return key === undefined ? [] : [{ name, table: key.table }]
  })
}

function columnsOf(
  layout: TableLayout,
  names: ReadonlyMap<string, string>,
  isLate: (column: string) => boolean,
): TransferColumn[] {
  return layout.columns.flatMap(({ name: column, kind }) => {
    const name = names.get(column)
    return name === undefined ? [] : [{ name, column, kind, isLate: isLate(column) }]
  })
}
