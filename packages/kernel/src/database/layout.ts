// The tables, columns and indexes a model needs, in v4's layout (B-10.30 to B-10.38). Data only: nothing here runs SQL.

import type { Attribute, ContentType, LinkTable, MorphTable } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { UsageError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { componentsTable } from '../model/naming.ts'

/** Column types; `id` counts itself up, `reference` holds an id, `order` a place in a list. */
export type ColumnKind = string

export interface ColumnLayout {
  readonly name: string
  readonly kind: ColumnKind
}

export interface IndexLayout {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
}

export interface ForeignKey {
  readonly name: string
  readonly column: string
  readonly table: string
  readonly onDelete: 'CASCADE' | 'SET NULL'
}

export interface TableLayout {
  readonly name: string
  readonly columns: readonly ColumnLayout[]
  readonly indexes: readonly IndexLayout[]
  readonly foreignKeys: readonly ForeignKey[]
  /** The type whose entries it holds; null for link tables. */
  readonly type: ContentType | null
  /** The type whose schema asks for it. */
  readonly owner: ContentType
}

/** All tables of a model, parents before what refers to them. */
export function layoutOf(registry: Registry): TableLayout[] {
  const types = registry.values()
  const typeLayout = (type: ContentType) => layoutOfType(registry, type)
  const links = types.flatMap(type => [
    ...(type.hasComponents ? [componentsLayout(type)] : []),
    ...linkLayouts(registry, type),
  ])
  return [...types.map(typeLayout), ...links]
}

function layoutOfType(registry: Registry, type: ContentType): TableLayout {
  const columns: ColumnLayout[] = [{ name: 'id', kind: 'id' }]
  const indexes: IndexLayout[] = []
  const scopes = type.scopes.map(name => columnNameOf(type, name))
  for (const attribute of type.attributes.values()) {
    columns.push(...columnsOf(attribute))
    if (attribute.kind !== 'scalar') continue
    // A list of components may repeat a value within one entry: the write path checks those (suite uniqueness).
    if (attribute.unique) indexes.push(indexOf(type, [attribute.column], type.kind !== 'component'))
    // Sorted pages end in the id; with what rules test, they are found in the index alone.
    else if (attribute.indexed) indexes.push(indexOf(type, [...new Set([attribute.column, 'id', ...scopes])], false))
  }
  if (scopes.length > 0) indexes.push(indexOf(type, scopes, false))
  for (const { attributes, unique } of type.indexes) {
    indexes.push(
      indexOf(
        type,
        attributes.map(name => columnNameOf(type, name)),
        unique ?? false,
      ),
    )
  }
  if (type.kind !== 'component') {
    // v4 notes its administrators here. Plinth does not write them, but v4 must find them.
    for (const name of ['created_by_id', 'updated_by_id']) {
      if (!columns.some(column => column.name === name)) columns.push({ name, kind: 'reference' })
    }
  }
  const foreignKeys: ForeignKey[] = []
  for (const one of type.attributes.values()) {
    if (one.kind !== 'relation' || one.storage.kind !== 'column') continue
    const { column } = one.storage
    const { table } = registry.require(one.target!)
    foreignKeys.push({ name: `${type.table}_${column}_fk`, column, table, onDelete: 'SET NULL' })
    indexes.push({ name: `${type.table}_${column}_fk`, columns: [column], unique: false })
  }
  return { name: type.table, columns, indexes, foreignKeys, type, owner: type }
}

function indexOf(type: ContentType, columns: readonly string[], unique: boolean): IndexLayout {
  return { name: `${type.table}_${columns.join('_')}_${unique ? 'unique' : 'index'}`, columns, unique }
}

function columnNameOf(type: ContentType, name: string): string {
  const attribute = type.attributes.get(name)
  if (attribute?.kind === 'scalar') return attribute.column
  const hint = suggestion(name, type.attributes.keys())
  throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${type.uid}: no scalar attribute "${name}" to index${hint}`)
}

function columnsOf(attribute: Attribute): ColumnLayout[] {
  if (attribute.kind === 'scalar') return [{ name: attribute.column, kind: attribute.scalar.storage }]
  if (attribute.kind !== 'relation') return []
  if (attribute.storage.kind === 'column') return [{ name: attribute.storage.column, kind: 'reference' }]
  if (attribute.storage.kind !== 'morphColumns') return []
  return [
    { name: 'target_id', kind: 'reference' },
    { name: 'target_type', kind: 'string' },
  ]
}

function componentsLayout(type: ContentType): TableLayout {
  const { table } = type
  return {
    name: componentsTable(table),
    type: null,
    owner: type,
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'entity_id', kind: 'reference' },
      { name: 'component_id', kind: 'reference' },
      { name: 'component_type', kind: 'string' },
      { name: 'field', kind: 'string' },
      { name: 'order', kind: 'order' },
    ],
    indexes: [
      { name: `${table}_unique`, columns: ['entity_id', 'component_id', 'field', 'component_type'], unique: true },
    ],
    foreignKeys: [{ name: `${table}_entity_fk`, column: 'entity_id', table, onDelete: 'CASCADE' }],
  }
}

function linkLayouts(registry: Registry, type: ContentType): TableLayout[] {
  const layouts: TableLayout[] = []
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' || !attribute.owner) continue
    if (attribute.storage.kind === 'links')
      layouts.push(linksLayout(type, registry.require(attribute.target!), attribute.storage))
    if (attribute.storage.kind === 'morphs') layouts.push(morphsLayout(type, attribute.storage))
  }
  return layouts
}

function linksLayout(type: ContentType, target: ContentType, join: LinkTable): TableLayout {
  const { table, from, to, order, inverseOrder } = join
  const orders = [order, inverseOrder].filter(name => name !== null)
  return {
    name: table,
    type: null,
    owner: type,
    columns: [
      { name: 'id', kind: 'id' },
      { name: from, kind: 'reference' },
      { name: to, kind: 'reference' },
      ...orders.map(name => ({ name, kind: 'order' })),
    ],
    // Both ways, and no more: v4 has an index on each column alone besides, which every new link pays for. The second lets
    // a new link find its place behind the others of its target.
    indexes: [
      { name: `${table}_unique`, columns: [from, to], unique: true },
      inverseOrder === null
        ? { name: `${table}_inv_fk`, columns: [to], unique: false }
        : { name: `${table}_last`, columns: [to, inverseOrder], unique: false },
    ],
    foreignKeys: [
      { name: `${table}_fk`, column: from, table: type.table, onDelete: 'CASCADE' },
      { name: `${table}_inv_fk`, column: to, table: target.table, onDelete: 'CASCADE' },
    ],
  }
}

function morphsLayout(type: ContentType, join: MorphTable): TableLayout {
  const { table, owner, id, type: typeColumn } = join
  return {
    name: table,
    type: null,
    owner: type,
    columns: [
      { name: 'id', kind: 'id' },
      { name: owner, kind: 'reference' },
      { name: id, kind: 'reference' },
      { name: typeColumn, kind: 'string' },
      { name: 'field', kind: 'string' },
      { name: 'order', kind: 'order' },
    ],
    indexes: [
      { name: `${table}_fk`, columns: [owner], unique: false },
      { name: `${table}_id_column_index`, columns: [id], unique: false },
    ],
    foreignKeys: [{ name: `${table}_fk`, column: owner, table: type.table, onDelete: 'CASCADE' }],
  }
}
