// Converts Dates that knex on PostgreSQL reads and writes, for migration files and for code that uses `kernel.knex`: by
// the zone in which datetimes are stored. pg would take the zone of the process, whatever it is.

import { momentReader, type Zone } from '@plinth/sql-servers'
import type { Client } from 'pg'
import { stamp } from './dialect.ts'
import { localStamp } from './zone.ts'

/** The type of columns of local times. */
const timestamp = 1114

/** Lets a connection read local times as the Date that they mean. */
export function readDates(client: Client, zone: Zone | null): void {
  const read = momentReader(zone)
  client.setTypeParser(timestamp, raw => {
    const ms = read(raw)
    return ms === null ? raw : new Date(ms)
  })
}

/** The text of a Date. */
export function dateText(zone: Zone | null, date: Date): string {
  const ms = date.getTime()
  return zone === null ? stamp(ms) : localStamp(zone.localOf(ms), zone.offsetAt(ms))
}
