// The dialect of PostgreSQL whose datetimes are stored in the local time of a zone. The session has that zone, too: by
// it the server reads the local times of columns, and shows columns that hold moments (`timestamptz`).

import type { Ddl, Dialect } from '@plinth/kernel/database'
import { offsetText, type Zone, zonedDialect } from '@plinth/sql-servers'
import { stamp } from './dialect.ts'

/**
 * The value of the server's setting `TimeZone`. An offset is a zone in the notation of POSIX: a name in brackets, and the
 * offset counted to the west.
 */
export function zoneValue(zone: Zone | null): string {
  if (zone === null) return 'UTC'
  return zone.fixed === null ? zone.name : `<${offsetText(zone.fixed)}>${offsetText(-zone.fixed)}`
}

/** A local time with its offset, which the server ignores where the column holds local times. */
export function localStamp(local: number, offset: number): string {
  const text = stamp(local)
  return text.endsWith(' BC') ? `${text.slice(0, -3)}${offsetText(offset)} BC` : text + offsetText(offset)
}

/** The dialect of datetimes in a zone. */
export function postgresInZone(dialect: Dialect, zone: Zone): Dialect {
  return zonedDialect(dialect, {
    zone,
    stamp: localStamp,
    epochText: expression =>
      `CAST(CAST(EXTRACT(EPOCH FROM CAST(${expression} AS timestamptz)) * 1000 AS bigint) AS text)`,
  })
}

/** The changes of tables whose datetimes are in a zone. The day that becomes a datetime is its midnight there. */
export function postgresDdlInZone(ddl: Ddl): Ddl {
  const { values } = ddl
  return {
    ...ddl,
    values: {
      ...values,
      now: 'LOCALTIMESTAMP',
      toText: (column, from, kind) =>
        values.toText(from === 'datetime' ? `(CAST(${column} AS timestamptz) AT TIME ZONE 'UTC')` : column, from, kind),
    },
  }
}
