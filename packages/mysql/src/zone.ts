// The dialect of MySQL and MariaDB whose datetimes are stored in the local time of a zone. Their servers know the names
// of zones only if somebody has loaded tables of them, so that SQL converts by the changes of the offset.

import type { Ddl, Dialect } from '@plinth/kernel/database'
import { type Zone, zonedDialect } from '@plinth/sql-servers'
import { stamp } from './dialect.ts'

/** The years whose changes SQL knows; before and after, the first and the last offset hold. */
const [firstYear, lastYear] = [1970, 2050]

/** The microseconds by which a column of local times is ahead of UTC, as SQL. */
function offsetOf(zone: Zone): (expression: string) => string {
  let changes: ReturnType<Zone['changes']> | null = null
  return expression => {
    if (zone.fixed !== null) return String(zone.fixed * 1000)
    changes ??= zone.changes(Date.UTC(firstYear, 0), Date.UTC(lastYear, 0))
    // In the hour that is doubled, the offset before its end holds, as where datetimes are read.
    const cases = changes.slice(1).map(([moment], i) => {
      const before = changes![i]![1]
      return `WHEN ${expression} < '${stamp(moment + before)}' THEN ${before * 1000}`
    })
    return `CASE ${cases.join(' ')} ELSE ${changes.at(-1)![1] * 1000} END`
  }
}

/** The dialect of datetimes in a zone. */
export function mysqlInZone(dialect: Dialect, zone: Zone): Dialect {
  const offset = offsetOf(zone)
  return zonedDialect(dialect, {
    zone,
    stamp,
    epochText: expression => {
      const since = `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${expression}) - ${offset(expression)}`
      return `CAST(CAST((${since}) DIV 1000 AS SIGNED) AS CHAR)`
    },
  })
}

/** The changes of tables whose datetimes are in a zone. The day that becomes a datetime is its midnight there. */
export function mysqlDdlInZone(ddl: Ddl, zone: Zone): Ddl {
  const offset = offsetOf(zone)
  const { values } = ddl
  return {
    ...ddl,
    values: {
      ...values,
      get now() {
        return `(${values.now} + INTERVAL ${zone.offsetAt(Date.now()) / 1000} SECOND)`
      },
      toText: (column, from, kind) =>
        values.toText(
          from === 'datetime' ? `(${column} - INTERVAL (${offset(column)}) MICROSECOND)` : column,
          from,
          kind,
        ),
    },
  }
}
