// Plans what becomes of entries that an attribute hid which the type has no longer, such as the drafts of a type whose
// entries can no longer be drafts. Nothing shows them unasked: one step shows them, another deletes them.

import type { Ddl } from '../connection/ddl.ts'
import type { TableLayout } from '../connection/layout.ts'
import type { ContentType, RetiredAttribute, ScalarAttribute } from '../model/content-type.ts'
import type { AttributesByType } from '../model/divergence.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedTable } from './planned-schema.ts'
import { removalOf } from './removal.ts'
import type { PlannedStep } from './step.ts'

/** A retired attribute whose column is in the table. */
interface RetiredColumn extends RetiredAttribute {
  readonly table: TableLayout
  readonly present: PlannedTable
  readonly column: string
  /** The SQL that counts the hidden entries, as the database is now. */
  readonly count: string
}

/** Steps that show the hidden entries, and steps that delete them. */
export function withheldSteps(input: PlanInput): PlannedStep[] {
  const { ddl, layout } = input
  return layout.flatMap(table => {
    const present = input.planned.tables.get(table.name)
    return retiredColumns(ddl, table, present).flatMap(({ column, count, entries }) => {
      const place = `${table.name}.${column}`
      const name = ddl.quote(column)
      const hidden = `${name} IS NULL`
      const step = { uid: table.owner.uid, column: { table: table.name, name: column } }
      const show = `UPDATE ${ddl.quote(table.name)} SET ${name} = ${ddl.values.now} WHERE ${hidden}`
      const removal = removalOf(input, table, hidden)
      return [
        {
          ...step,
          name: `show:${place}`,
          kind: 'show' as const,
          says: `shows the ${entries} of ${table.name}, which ${place} hides`,
          sql: [show],
          ranged: { table: table.name, texts: [show] },
          probe: { kind: 'withheld' as const, count, entries, verb: 'shown' },
        },
        {
          ...step,
          name: `delete:${place}`,
          kind: 'delete' as const,
          says: `deletes the ${entries} of ${table.name}, which ${place} hides`,
          sql: removal,
          ranged: { table: table.name, texts: removal.slice(-1) },
          probe: { kind: 'withheld' as const, count, entries, verb: 'deleted' },
        },
      ]
    })
  })
}

/**
 * Returns the reason that blocks the drop of a column as long as it hides entries, and the SQL that counts them; null
 * if it does not hide any.
 */
export function withheldIn(
  ddl: Ddl,
  table: TableLayout,
  { present, name }: { readonly present: PlannedTable; readonly name: string },
): { readonly count: string; readonly why: string } | null {
  const retired = retiredColumns(ddl, table, present).find(one => one.column === name)
  if (retired === undefined) return null
  const place = `${table.name}.${name}`
  const why = `it hides ${retired.entries}, which would be shown; run show:${place} or delete:${place} first`
  return { count: retired.count, why }
}

/** The retired attributes of all types whose columns are in the tables. */
export function retiredIn({ ddl, layout, planned }: PlanInput): AttributesByType {
  const retired = new Map<ContentType, readonly ScalarAttribute[]>()
  for (const table of layout) {
    const columns = retiredColumns(ddl, table, planned.tables.get(table.name))
    if (table.type !== null && columns.length > 0)
      retired.set(
        table.type,
        columns.map(one => one.attribute),
      )
  }
  return retired
}

function retiredColumns(ddl: Ddl, table: TableLayout, present: PlannedTable | undefined): RetiredColumn[] {
  if (present === undefined || table.type === null) return []
  return table.type.retired.flatMap(retired => {
    const column = ddl.fit(retired.attribute.column)
    const was = present.columns.get(column)?.was
    if (was === undefined) return []
    const count = `SELECT COUNT(*) FROM ${ddl.quote(present.was)} WHERE ${ddl.quote(was)} IS NULL`
    return [{ ...retired, table, present, column, count }]
  })
}
