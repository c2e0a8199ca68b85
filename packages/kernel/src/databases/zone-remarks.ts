// Says what the settings of a database tell about the time zone in which datetimes are stored, and what they leave open.

import type { ResolvedDatabase } from './config.ts'
import { isUtc, processZone } from './stored-zone.ts'

type ServerDatabase = Exclude<ResolvedDatabase, { client: 'sqlite' }>

/** Whether datetimes are stored without their zone. SQLite stores moments. */
export function storesLocalTimes(config: ResolvedDatabase): config is ServerDatabase {
  return config.client !== 'sqlite'
}

/** What the settings say, and what they leave open. */
export function zoneRemarks(config: ResolvedDatabase): string[] {
  if (!storesLocalTimes(config)) return []
  if (config.zone !== null) return [`Datetimes are stored in the time of ${config.zone.name}, as config/database says`]
  const zone = processZone()
  if (config.namesZone || isUtc(zone)) return []
  return [
    `config/database does not say in which time zone datetimes are stored. v4 stores them in the zone of its process, which is ${zone} here, and Plinth takes them for UTC: set storedTimeZone to '${zone}', or to 'UTC' if v4 runs in UTC`,
  ]
}
