// Finds the link tables whose foreign keys refuse links to entries that do not exist, for writes that leave the test of
// linked entries to them. Tables that v4 or an import made may lack keys.

import type { PresentKey } from '../connection/catalogue.ts'
import type { ForeignKey, TableLayout } from '../connection/layout.ts'
import type { PlannedSchema } from './planned-schema.ts'

/**
 * Returns the link tables of the layout that have their foreign keys, or get them when they are created. `nameOf` returns
 * the name of a table in the database.
 */
export function findKeyedLinks(
  layout: readonly TableLayout[],
  { tables }: PlannedSchema,
  nameOf: (name: string) => string,
): ReadonlySet<string> {
  const keyed = new Set<string>()
  for (const { name, type, foreignKeys } of layout) {
    if (type !== null || foreignKeys.length < 2) continue
    const present = tables.get(nameOf(name))
    const hasKey = (key: ForeignKey) => present === undefined || present.keys.some(one => isSame(one, key, nameOf))
    if (foreignKeys.every(hasKey)) keyed.add(name)
  }
  return keyed
}

function isSame(one: PresentKey, { column, table }: ForeignKey, nameOf: (name: string) => string): boolean {
  return one.column === nameOf(column) && one.table === nameOf(table)
}
