// Says what the settings of a server tell about the time zone in which datetimes are stored, and what they leave open.

import type { DriverSettings } from '@plinth/kernel/database'
import { serverSettings } from './connection.ts'
import { isSet, isUtc, processZone } from './stored-zone.ts'

/** Returns what the settings say and what they leave open, as sentences without a full stop. */
export function zoneRemarks(settings: DriverSettings): readonly string[] {
  const { zone: stored } = serverSettings(settings)
  if (stored !== null) return [`Datetimes are stored in the time of ${stored.name}, as config/database says`]
  const zone = processZone()
  if (isSet(settings.connection.timezone) || isSet(settings.storedTimeZone) || isUtc(zone)) return []
  return [
    `config/database does not say in which time zone datetimes are stored. v4 stores them in the zone of its process, which is ${zone} here, and Plinth takes them for UTC: set storedTimeZone to '${zone}', or to 'UTC' if v4 runs in UTC`,
  ]
}
