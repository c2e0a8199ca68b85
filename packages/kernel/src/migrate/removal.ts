// The statements that delete rows of a table with all that belongs to them: components at any depth, links from both
// sides, and references to them. Foreign keys are not relied on, since SQLite has them off while tables change.

import type { TableLayout } from '../connection/layout.ts'
import type { ContentType } from '../model/content-type.ts'
import { componentsTable } from '../model/naming.ts'
import type { PlanInput } from './plan-input.ts'

/** Rows of a table that are deleted: those that fulfil a condition. */
interface DoomedRows {
  readonly table: TableLayout
  readonly where: string
}

/** The statements, of which the last one deletes the rows themselves. */
export function removalOf(input: PlanInput, table: TableLayout, where: string): string[] {
  return remove(input, { table, where }, [])
}

/** `above` are the types on the way to the rows: a component that contains itself is followed once. */
function remove(input: PlanInput, { table, where }: DoomedRows, above: readonly ContentType[]): string[] {
  const q = (name: string) => input.ddl.quote(name)
  return [
    ...componentRemovals(input, { table, where }, above),
    ...releases(input, { table, where }),
    `DELETE FROM ${q(table.name)} WHERE ${where}`,
  ]
}

function componentRemovals(input: PlanInput, { table, where }: DoomedRows, above: readonly ContentType[]): string[] {
  const { ddl, registry, layout } = input
  const q = (name: string) => ddl.quote(name)
  const type = table.type!
  const uids = new Set<string>()
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'component') uids.add(attribute.component)
    if (attribute.kind === 'zone') for (const uid of attribute.components) uids.add(uid)
  }
  const join = ddl.fit(componentsTable(type.table))
  return [...uids].flatMap(uid => {
    const component = layout.find(one => one.type === registry.require(uid))
    if (component === undefined || above.includes(component.type!)) return []
    const of = `${q('component_type')} = ${text(uid)} AND ${q('entity_id')} IN ${idsOf(input, table, where)}`
    const isMember = `${q('id')} IN (SELECT ${q('component_id')} FROM ${q(join)} WHERE ${of})`
    return remove(input, { table: component, where: isMember }, [...above, type])
  })
}

/** Removes the links of the rows, and what refers to them. */
function releases(input: PlanInput, { table, where }: DoomedRows): string[] {
  const { ddl, registry, layout } = input
  const q = (name: string) => ddl.quote(name)
  const ids = idsOf(input, table, where)
  const texts: string[] = []
  for (const other of layout) {
    for (const { table: target, column, onDelete } of other.foreignKeys) {
      if (ddl.fit(target) !== table.name) continue
      const isOne = `${q(column)} IN ${ids}`
      if (onDelete === 'CASCADE') texts.push(`DELETE FROM ${q(other.name)} WHERE ${isOne}`)
      else texts.push(`UPDATE ${q(other.name)} SET ${q(column)} = NULL WHERE ${isOne}`)
    }
  }
  for (const other of registry.values()) {
    for (const attribute of other.attributes.values()) {
      if (attribute.kind !== 'relation' || !attribute.owner) continue
      const { storage } = attribute
      if (storage.kind === 'morphs') {
        const isOne = `${q(storage.type)} = ${text(table.type!.uid)} AND ${q(storage.id)} IN ${ids}`
        texts.push(`DELETE FROM ${q(ddl.fit(storage.table))} WHERE ${isOne}`)
      } else if (storage.kind === 'morphColumns') {
        const isOne = `${q('target_type')} = ${text(table.type!.uid)} AND ${q('target_id')} IN ${ids}`
        const cleared = `${q('target_id')} = NULL, ${q('target_type')} = NULL`
        texts.push(`UPDATE ${q(ddl.fit(other.table))} SET ${cleared} WHERE ${isOne}`)
      }
    }
  }
  return texts
}

/**
 * The ids of the rows, as a list in a statement. MySQL reads a table that the statement changes only through another.
 */
function idsOf({ ddl }: PlanInput, table: TableLayout, where: string): string {
  const id = ddl.quote('id')
  return `(SELECT ${id} FROM (SELECT ${id} FROM ${ddl.quote(table.name)} WHERE ${where}) ${ddl.quote('removed')})`
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
