// Plans steps that store moments as such where rows have them as text: on SQLite, `knex.fn.now()` and CURRENT_TIMESTAMP
// of a migration file or of other programs are text, which compares as greater than every moment.

import type { TableLayout } from '../connection/layout.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedTable } from './planned-schema.ts'
import type { PlannedStep } from './step.ts'

/** Number of the last rows of each table that a start reads. */
const lastRows = 1000

/** Steps for tables in which moments are text. `allRows`: looks at all rows, and not only at the last ones. */
export function momentSteps({ ddl, layout, planned }: PlanInput, allRows: boolean): PlannedStep[] {
  const { momentOfText } = ddl.values
  if (momentOfText === null) return []
  return layout.flatMap(table => {
    const present = planned.tables.get(table.name)
    const columns =
      present === undefined ? [] : momentColumns(table, present, type => ddl.familyOf(type) === 'datetime')
    if (columns.length === 0) return []
    const q = (name: string) => ddl.quote(name)
    const isText = (name: string) => `(typeof(${q(name)}) = 'text' AND ${momentOfText(q(name))} IS NOT NULL)`
    const was = q(present!.was)
    const rows = allRows ? was : `(SELECT * FROM ${was} ORDER BY ${q('id')} DESC LIMIT ${lastRows})`
    const tests = columns.map(({ was }) => isText(was)).join(' OR ')
    return [
      {
        name: `moments:${table.name}`,
        kind: 'moments',
        says: `stores datetimes of ${table.name} as moments, which are text`,
        sql: columns.map(
          ({ name }) => `UPDATE ${q(table.name)} SET ${q(name)} = ${momentOfText(q(name))} WHERE ${isText(name)}`,
        ),
        uid: table.owner.uid,
        probe: { kind: 'text', count: `SELECT COUNT(*) FROM ${rows} WHERE ${tests}` },
      },
    ]
  })
}

function momentColumns(table: TableLayout, present: PlannedTable, isMoment: (type: string) => boolean) {
  return table.columns.flatMap(({ name, kind }) => {
    const column = present.columns.get(name)
    const isOne = (kind === 'datetime' || kind === 'timestamp') && column !== undefined && isMoment(column.type)
    return isOne ? [{ name, was: column.was }] : []
  })
}
