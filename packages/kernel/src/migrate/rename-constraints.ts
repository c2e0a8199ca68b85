// Renames indexes and foreign keys, which are named after their table and columns. If they kept an old name, a new
// table or column of that name would collide with them, because such names are unique in a database.

import type { TableLayout } from '../connection/layout.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedTable } from './planned-schema.ts'
import type { FormerTable } from './previous-names.ts'
import type { PlannedStep } from './step.ts'

/** Steps for all tables that were renamed or have renamed columns. */
export function constraintRenames(input: PlanInput): PlannedStep[] {
  const { layout, former, planned } = input
  return layout.flatMap(table => {
    const present = planned.tables.get(table.name)
    const past = former.get(table.name)
    if (present === undefined || past === undefined) return []
    return [...indexRenames(input, table, present, past), ...keyRenames(input, table, present, past)]
  })
}

function indexRenames({ ddl }: PlanInput, table: TableLayout, present: PlannedTable, past: FormerTable): PlannedStep[] {
  const steps: PlannedStep[] = []
  const names = new Set(table.indexes.map(one => ddl.fitIndex(one.name)))
  for (const index of present.indexes) {
    if (names.has(index.name)) continue
    const same = table.indexes.find(one => one.unique === index.unique && one.columns.join() === index.columns.join())
    const takenNames = new Set(present.indexes.map(one => one.name))
    const nameInModel = same === undefined ? null : ddl.fitIndex(same.name)
    const to = nameInModel !== null && !takenNames.has(nameInModel) ? nameInModel : afterTable(index.name, table, past)
    if (to === null || takenNames.has(ddl.fitIndex(to))) continue
    steps.push({
      name: `rename:${index.name}:${to}`,
      kind: 'rename',
      says: `renames the index ${index.name} to ${to}`,
      sql: ddl.renameIndex(table.name, index, to),
      uid: table.owner.uid,
    })
    present.renameIndex(index.name, ddl.fitIndex(to))
  }
  return steps
}

/** SQLite does not report the names of foreign keys, and the same name can occur several times. */
function keyRenames({ ddl }: PlanInput, table: TableLayout, present: PlannedTable, past: FormerTable): PlannedStep[] {
  const steps: PlannedStep[] = []
  for (const key of present.keys) {
    if (key.name === '') continue
    const same = table.foreignKeys.find(one => one.column === key.column)
    const to = same === undefined ? afterTable(key.name, table, past) : ddl.fitIndex(same.name)
    if (to === null || to === key.name || present.keys.some(one => one.name === to)) continue
    steps.push({
      name: `rename:${table.name}.${key.name}:${to}`,
      kind: 'rename',
      says: `renames the foreign key ${key.name} to ${to}`,
      sql: ddl.renameKey(table.name, key, to),
      uid: table.owner.uid,
    })
    present.keys = present.keys.map(one => (one === key ? { ...one, name: to } : one))
  }
  return steps
}

/**
 * Returns a name after the new table, with the same suffix, for a constraint that v4 created in addition; null if the
 * name does not begin with the table's former name.
 */
function afterTable(name: string, table: TableLayout, past: FormerTable): string | null {
  const stem = (one: string) => one.replace(/_components$/, '')
  const from = past.tables.map(stem).find(one => name.startsWith(`${one}_`))
  if (from === undefined || name.startsWith(`${stem(table.name)}_`)) return null
  return `${stem(table.name)}${name.slice(from.length)}`
}
