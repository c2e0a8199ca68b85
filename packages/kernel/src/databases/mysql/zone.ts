// The dialect of MySQL and MariaDB whose datetimes are stored in the local time of a zone. Their servers know the names
// of zones only if somebody has loaded tables of them, so that SQL converts by the changes of the offset.

import type { Dialect } from '../../sql/dialect.ts'
import type { Zone } from '../zone.ts'
import { zonedDialect } from '../zoned.ts'
import { stamp } from './dialect.ts'

/** The years whose changes SQL knows; before and after, the first and the last offset hold. */
const [firstYear, lastYear] = [1970, 2050]

/** The dialect of datetimes in a zone. */
export function mysqlInZone(dialect: Dialect, zone: Zone): Dialect {
  let changes: ReturnType<Zone['changes']> | null = null
  const offsetOf = (expression: string): string => {
    if (zone.fixed !== null) return String(zone.fixed * 1000)
    changes ??= zone.changes(Date.UTC(firstYear, 0), Date.UTC(lastYear, 0))
    // In the hour that is doubled, the offset before its end holds, as where datetimes are read.
    const cases = changes.slice(1).map(([moment], i) => {
      const before = changes![i]![1]
      return `WHEN ${expression} < '${stamp(moment + before)}' THEN ${before * 1000}`
    })
    return `CASE ${cases.join(' ')} ELSE ${changes.at(-1)![1] * 1000} END`
  }
  return zonedDialect(dialect, {
    zone,
    stamp,
    epochText: expression => {
      const since = `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${expression}) - ${offsetOf(expression)}`
      return `CAST(CAST((${since}) DIV 1000 AS SIGNED) AS CHAR)`
    },
  })
}
