// Compiles the statements on polymorphic relations: on morph tables, and on the columns target_id and target_type.

import type { MorphTable } from '../../model/content-type.ts'
import type { Dialect } from '../dialect.ts'
import { places } from '../insert.ts'

/** Statements of a morph table. */
export interface MorphStatements {
  /** Selects id, type and field of the targets of an entry. */
  readonly read: string
  readonly remove: string
  /** Inserts a link: the entry with the relation, id, type and field of its target, and the place. */
  readonly insert: string
  /** Selects the entries that link to an entry by one of its fields. */
  readonly readInverse: string
  readonly removeInverse: string
}

export function morphStatements(dialect: Dialect, { table, owner, id, type }: MorphTable): MorphStatements {
  const q = (name: string) => dialect.quote(name)
  const own = `${q(owner)} = ?`
  const inverse = `${q(id)} = ? AND ${q(type)} = ? AND ${q('field')} = ?`
  const by = `ORDER BY ${q('order')}, ${q('id')}`
  const columns = [owner, id, type, 'field', 'order']
  const finish = (text: string) => dialect.finish(text)
  return {
    read: finish(`SELECT ${q(id)}, ${q(type)}, ${q('field')} FROM ${q(table)} WHERE ${own} ${by}`),
    remove: finish(`DELETE FROM ${q(table)} WHERE ${own}`),
    insert: finish(`INSERT INTO ${q(table)} (${columns.map(q).join(', ')}) VALUES (${places(columns.length)})`),
    readInverse: finish(`SELECT ${q(owner)} FROM ${q(table)} WHERE ${inverse} ${by}`),
    removeInverse: finish(`DELETE FROM ${q(table)} WHERE ${inverse}`),
  }
}

/** Statements of a table with target_id and target_type. */
export interface MorphColumnStatements {
  /** Links a row to an entry. */
  readonly link: string
  /** The same, if the row is linked to a given other entry. */
  readonly relink: string
  /** Selects the rows that link to an entry. */
  readonly readInverse: string
  /** Unlinks an entry from all rows. */
  readonly clear: string
  /** Links a list of rows to an entry. */
  readonly linkInverse: string
}

export function morphColumnStatements(dialect: Dialect, table: string): MorphColumnStatements {
  const q = (name: string) => dialect.quote(name)
  const update = `UPDATE ${q(table)} SET`
  const set = `${q('target_id')} = ?, ${q('target_type')} = ?`
  const isTarget = `${q('target_id')} = ? AND ${q('target_type')} = ?`
  const finish = (text: string) => dialect.finish(text)
  return {
    link: finish(`${update} ${set} WHERE ${q('id')} = ?`),
    relink: finish(`${update} ${set} WHERE ${q('id')} = ? AND ${isTarget}`),
    readInverse: finish(`SELECT ${q('id')} FROM ${q(table)} WHERE ${isTarget} ORDER BY ${q('id')}`),
    clear: finish(`${update} ${q('target_id')} = NULL, ${q('target_type')} = NULL WHERE ${isTarget}`),
    linkInverse: finish(`${update} ${set} WHERE ${dialect.within(q('id'))}`),
  }
}
