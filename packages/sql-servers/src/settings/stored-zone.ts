// Reads from `config/database` in which time zone a server stores datetimes: `connection.timezone`, in the forms that
// mysql2 takes, or `storedTimeZone`. Both also take IANA names.

import { nearest, StartError } from '@plinth/kernel/database'
import { Zone } from '../dialect/zone.ts'

/** The two settings, of which the first wins. */
export interface ZoneSettings {
  readonly timezone: unknown
  readonly storedTimeZone: unknown
}

/** Names of UTC, also those that Intl keeps. */
const utc = ['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', '+00:00', '-00:00']

/** The zone; null if it is UTC, which it is without a setting. Throws StartError for an unknown zone. */
export function storedZone({ timezone, storedTimeZone }: ZoneSettings): Zone | null {
  return isSet(timezone)
    ? zoneOf('connection.timezone', timezone)
    : isSet(storedTimeZone)
      ? zoneOf('storedTimeZone', storedTimeZone)
      : null
}

/** Returns whether a setting names a zone. */
export function isSet(setting: unknown): boolean {
  return setting !== undefined && setting !== null && setting !== ''
}

/** The name of the zone of this process. */
export function processZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Returns whether a name stands for UTC. */
export function isUtc(name: string): boolean {
  return utc.includes(name)
}

function zoneOf(key: string, value: unknown): Zone | null {
  if (typeof value !== 'string') throw refusal(key, `must be a text, found ${JSON.stringify(value)}`)
  try {
    const zone = new Zone(nameOf(value))
    return isUtc(zone.name) ? null : zone
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw refusal(key, `the time zone "${value}" is not known${suggestionFor(value)}`)
  }
}

/** `local` is the zone of the process, `Z` is UTC; the plus of an offset may have become a space in a URL. */
function nameOf(value: string): string {
  if (value === 'local') return processZone()
  return value === 'Z' ? 'UTC' : value.replace(/^ (?=\d)/, '+')
}

/** Many write the city alone. */
function suggestionFor(value: string): string {
  const names = Intl.supportedValuesOf('timeZone')
  const cities = new Map(names.map(name => [name.slice(name.lastIndexOf('/') + 1), name]))
  const city = nearest(value.replaceAll(' ', '_'), cities.keys())
  const name = nearest(value, names) ?? (city === null ? null : cities.get(city))
  return name === null
    ? '; write an IANA name such as Europe/Paris, an offset such as +02:00, or local'
    : `, did you mean "${name}"?`
}

function refusal(key: string, fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/database: ${key}: ${fault}`)
}
