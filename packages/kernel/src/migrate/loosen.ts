// Plans steps that drop unique indexes which the model needs no longer. Only those that Plinth named itself are
// dropped: an index that somebody made by hand has another name.

import type { PresentIndex } from '../connection/catalogue.ts'
import type { IndexLayout, TableLayout } from '../connection/layout.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedTable } from './planned-schema.ts'
import type { PlannedStep } from './step.ts'

/** Steps for unique indexes of attributes that need not be unique any more, or only together with others. */
export function loosenSteps(input: PlanInput): PlannedStep[] {
  const { ddl, layout, planned } = input
  return layout.flatMap(table => {
    const present = planned.tables.get(table.name)
    if (present === undefined || table.type === null) return []
    const left = present.indexes.filter(index => index.unique && isLeft(input, table, present, index))
    present.indexes = present.indexes.filter(index => !left.includes(index))
    return left.map(({ name }) => ({
      name: `loosen:${name}`,
      kind: 'loosen',
      says: `drops the unique index ${name} of ${table.name}, because the model allows equal values`,
      sql: ddl.dropIndex(table.name, name),
      uid: table.owner.uid,
    }))
  })
}

/** Returns whether Plinth has made the index for attributes that need it no longer. */
function isLeft({ ddl }: PlanInput, table: TableLayout, present: PlannedTable, index: PresentIndex): boolean {
  const needed = table.indexes.filter(one => one.unique)
  const isNeeded = (one: IndexLayout) =>
    one.columns.join() === index.columns.join() || ddl.fitIndex(one.name) === index.name
  if (needed.some(isNeeded)) return false
  const model = new Set(table.columns.map(one => one.name))
  for (const columns of possibleColumns(index, [...model])) {
    if (!columns.some(name => model.has(name))) continue
    const before = columns.map(name => present.columns.get(name)?.was ?? name)
    const names = [columns, before].flatMap(list =>
      [table.name, present.was].map(name => ddl.fitIndex(`${name}_${list.join('_')}_unique`)),
    )
    if (names.some(name => isNamed(index.name, name))) return true
  }
  return false
}

/** The columns of the index. For an expression the catalogue has no column, so it may be any of the table. */
function possibleColumns({ columns }: PresentIndex, all: readonly string[]): (readonly string[])[] {
  if (!columns.includes('')) return [columns]
  return all.map(name => columns.map(one => one || name))
}

/** A number is added to a name that was taken. */
function isNamed(name: string, own: string): boolean {
  return name === own || (name.startsWith(`${own}_`) && /^\d+$/.test(name.slice(own.length + 1)))
}
