// Compiles the statements on the rows that link entries to their components.

import type { ContentType } from '../../model/content-type.ts'
import { componentsTable } from '../../model/naming.ts'
import type { Dialect } from '../dialect.ts'
import { places } from '../insert.ts'

/** Statements of the components of a type. */
export interface ComponentStatements {
  /** Selects id, type and place of the components of one field, in their order. */
  readonly read: string
  /** Selects id and type of all components of a list of entries. */
  readonly readAll: string
  /** Selects entry, id, type and field of all components of a list of entries. */
  readonly readFields: string
  /** Adds a component: entry, component, its type, field and place. */
  readonly insert: string
  /** Moves a component to another place. */
  readonly move: string
  /** Removes a list of components of one type from a field of an entry. */
  readonly remove: string
}

export function componentStatements(dialect: Dialect, type: ContentType): ComponentStatements {
  const q = (name: string) => dialect.quote(name)
  const table = q(componentsTable(type.table))
  const [entry, id, kind, field, order] = ['entity_id', 'component_id', 'component_type', 'field', 'order'].map(q)
  const finish = (text: string) => dialect.finish(text)
  const ofField = `${entry} = ? AND ${dialect.unindexed(field!)} = ?`
  const one = `${entry} = ? AND ${id} = ? AND ${kind} = ? AND ${field} = ?`
  const some = `${entry} = ? AND ${field} = ? AND ${kind} = ? AND ${dialect.within(id!)}`
  return {
    read: finish(`SELECT ${id}, ${kind}, ${order} FROM ${table} WHERE ${ofField} ORDER BY ${order}, ${q('id')}`),
    readAll: finish(`SELECT ${id}, ${kind} FROM ${table} WHERE ${dialect.within(entry!)}`),
    readFields: finish(`SELECT ${entry}, ${id}, ${kind}, ${field} FROM ${table} WHERE ${dialect.within(entry!)}`),
    insert: finish(`INSERT INTO ${table} (${entry}, ${id}, ${kind}, ${field}, ${order}) VALUES (${places(5)})`),
    move: finish(`UPDATE ${table} SET ${order} = ? WHERE ${one}`),
    remove: finish(`DELETE FROM ${table} WHERE ${some}`),
  }
}
