// Derives former names of tables, columns and texts in rows from `renamedFrom` of types and attributes. A former name
// is a guess until it is found in the database: v4 composes names of several parts, and each of them may have changed.

import type { Attribute, ContentType, RelationAttribute } from '../model/content-type.ts'
import { columnName, componentsTable, linkColumns, linkNames, morphNames } from '../model/naming.ts'
import type { Registry } from '../model/registry.ts'
import type { TableOwner } from '../model/settle-fields.ts'

/** The possible former names of a type. */
export interface Former {
  readonly uids: readonly string[]
  readonly singulars: readonly string[]
  readonly tables: readonly string[]
}

/**
 * The possible former names of a table and its columns, most likely first; only those that differ from the current
 * ones.
 */
export interface FormerTable {
  readonly tables: readonly string[]
  readonly columns: ReadonlyMap<string, readonly string[]>
}

/**
 * Returns the former names of a type, from uids (`api::post.post`, `shared.seo`) and tables (`posts`) in `renamedFrom`.
 */
export function formerOf(type: TableOwner): Former {
  const uids = new Set<string>()
  const singulars = new Set<string>()
  const tables = new Set<string>()
  for (const name of type.renamedFrom) {
    if (/[:.]/.test(name)) addUid(name, { uids, singulars, tables })
    else addTable(name, type, { uids, singulars, tables })
  }
  uids.delete(type.uid)
  singulars.delete(type.singularName)
  tables.delete(type.table)
  return { uids: [...uids], singulars: [...singulars], tables: [...tables] }
}

interface Names {
  readonly uids: Set<string>
  readonly singulars: Set<string>
  readonly tables: Set<string>
}

function addUid(uid: string, names: Names): void {
  const singular = uid.slice(Math.max(uid.lastIndexOf('.'), uid.lastIndexOf(':')) + 1)
  names.uids.add(uid)
  names.singulars.add(singular)
  const snake = singular.replaceAll('-', '_')
  const prefix = uid.includes(':') ? '' : `components_${uid.split('.')[0]!.replaceAll('-', '_')}_`
  for (const word of pluralsOf(snake)) names.tables.add(`${prefix}${word}`)
}

/** A table alone does not determine the singular name and the uid: they are unchanged, or follow from the table. */
function addTable(table: string, type: TableOwner, names: Names): void {
  names.tables.add(table)
  const [, category, rest] = /^components_([a-z0-9]+)_(.+)$/.exec(table) ?? []
  for (const word of singularsOf(rest ?? table)) {
    const singular = word.replaceAll('_', '-')
    names.singulars.add(singular)
    if (type.kind !== 'component') names.uids.add(`api::${singular}.${singular}`)
    else names.uids.add(`${category ?? type.uid.split('.')[0]}.${singular}`)
  }
}

const pluralsOf = (word: string): string[] => [`${word}s`, word, `${word}es`, `${word.replace(/y$/, 'ie')}s`]

const singularsOf = (word: string): string[] => [
  ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
  ...(word.endsWith('es') ? [word.slice(0, -2)] : []),
  ...(word.endsWith('s') ? [word.slice(0, -1)] : []),
  word,
]

/** The former names of an attribute. */
export function formerNames(attribute: Attribute): readonly string[] {
  const { renamedFrom = [] } = attribute.definition as { renamedFrom?: string | readonly string[] }
  return typeof renamedFrom === 'string' ? [renamedFrom] : renamedFrom
}

/** Returns the former names of all tables of a model that may have any, by current name. */
export function formerTables(registry: Registry): ReadonlyMap<string, FormerTable> {
  const formerByTable = new Map<string, FormerTable>()
  for (const type of registry.values()) {
    const former = formerOf(type)
    const columns = new Map<string, readonly string[]>()
    for (const attribute of type.attributes.values()) addColumns(attribute, columns)
    if (former.tables.length > 0 || columns.size > 0) formerByTable.set(type.table, { tables: former.tables, columns })
    if (former.tables.length > 0)
      formerByTable.set(componentsTable(type.table), { tables: former.tables.map(componentsTable), columns: new Map() })
    for (const attribute of type.attributes.values()) {
      if (attribute.kind !== 'relation' || !attribute.owner) continue
      if (attribute.storage.kind === 'links') addLinks(registry, type, attribute, formerByTable)
      if (attribute.storage.kind === 'morphs') addMorphs(type, attribute, formerByTable)
    }
  }
  return formerByTable
}

function addColumns(attribute: Attribute, columns: Map<string, readonly string[]>): void {
  const names = formerNames(attribute)
  if (names.length === 0) return
  if (attribute.kind === 'scalar') {
    // A former `columnName` may be given unchanged.
    columns.set(attribute.column, without(attribute.column, [...names.map(columnName), ...names]))
  } else if (attribute.kind === 'relation' && attribute.storage.kind === 'column') {
    const { column } = attribute.storage
    columns.set(
      column,
      without(
        column,
        names.map(name => columnName(`${name}_id`)),
      ),
    )
  }
}

const without = (name: string, names: readonly string[]) => [...new Set(names)].filter(one => one !== name)

function addLinks(
  registry: Registry,
  type: ContentType,
  attribute: RelationAttribute,
  formerByTable: Map<string, FormerTable>,
): void {
  const target = registry.require(attribute.target!)
  const [own, other] = [formerOf(type), formerOf(target)]
  const names = [attribute.name, ...formerNames(attribute)]
  const singulars = [type.singularName, ...own.singulars]
  const targets = [target.singularName, ...other.singulars]
  if (singulars.length + targets.length + names.length + own.tables.length === 3) return
  const tables: string[] = []
  for (const table of [type.table, ...own.tables])
    for (const name of names) tables.push(linkNames(table, type.singularName, name, target.singularName).table)
  const columns = new Map<string, Set<string>>()
  const today = linkColumns(attribute, type.singularName, target.singularName)
  for (const singular of singulars) {
    // If a type relates to itself, both ends were renamed together.
    for (const one of type === target ? [singular] : targets) {
      const was = linkColumns(attribute, singular, one)
      for (const end of ['from', 'to', 'order', 'inverseOrder'] as const) {
        const [now, then] = [today[end], was[end]]
        if (now !== null && then !== null) columns.set(now, (columns.get(now) ?? new Set()).add(then))
      }
    }
  }
  addTableNames(formerByTable, tables, columns)
}

function addMorphs(type: ContentType, attribute: RelationAttribute, formerByTable: Map<string, FormerTable>): void {
  const own = formerOf(type)
  const names = [attribute.name, ...formerNames(attribute)]
  const tables: string[] = []
  const columns = new Map<string, Set<string>>()
  const today = morphNames(type.table, type.singularName, attribute.name)
  for (const table of [type.table, ...own.tables]) {
    for (const singular of [type.singularName, ...own.singulars]) {
      for (const name of names) {
        const was = morphNames(table, singular, name)
        tables.push(was.table)
        for (const end of ['owner', 'id', 'type'] as const)
          columns.set(today[end], (columns.get(today[end]) ?? new Set()).add(was[end]))
      }
    }
  }
  addTableNames(formerByTable, tables, columns)
}

/** Records former names; the first of `tables` is the current name. */
function addTableNames(
  formerByTable: Map<string, FormerTable>,
  tables: readonly string[],
  columns: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const [now] = tables
  const past = new Map([...columns].map(([column, names]) => [column, without(column, [...names])] as const))
  const isNone = tables.every(name => name === now) && [...past.values()].every(names => names.length === 0)
  if (!isNone) formerByTable.set(now!, { tables: without(now!, tables), columns: past })
}
