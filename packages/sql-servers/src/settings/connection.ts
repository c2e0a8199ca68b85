// The common parts of the definitions of servers: the names in `connection`, and how messages name the server. Knows no
// driver.

import {
  type ConnectionSchema,
  type ConnectionSettings,
  type DriverSettings,
  StartError,
} from '@plinth/kernel/database'
import type { Zone } from '../dialect/zone.ts'
import { storedZone } from './stored-zone.ts'

/** A port from 1 to 65535. Drivers take texts of digits, too. */
const port = {
  description: 'a number from 1 to 65535',
  anyOf: [
    { type: 'integer', minimum: 1, maximum: 65_535 },
    {
      type: 'string',
      pattern: '^0*(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])$',
    },
  ],
}

/** The names in `connection`. The driver checks the other values. */
export const serverConnection: ConnectionSchema = {
  properties: {
    host: {},
    port,
    database: {},
    user: {},
    password: {},
    ssl: {},
    schema: {},
    connectionString: {},
    uri: {},
    timezone: {},
  },
}

/** Names of SQLite, and options of drivers that look like misspellings of others. */
export const otherServerNames: readonly string[] = ['filename', 'password1', 'password2', 'password3']

/** The settings of a server, with the zone of its datetimes. */
export interface ServerSettings extends DriverSettings {
  /** The zone in which datetimes are stored; null if it is UTC. */
  readonly zone: Zone | null
}

/** Takes the zone out of the settings. Throws StartError for an unknown zone, and for settings that exclude each other. */
export function serverSettings(settings: DriverSettings): ServerSettings {
  if (settings.rememberTotals && settings.consistentReads === true)
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      'config/database: rememberTotals and consistentReads exclude each other, because a total that is remembered may be of another moment than the entries; remove one of them',
    )
  const { timezone, ...connection } = settings.connection
  const { storedTimeZone } = settings
  return { ...settings, connection, zone: storedZone({ timezone, storedTimeZone }) }
}

/** The name of the database on its server. */
export function serverDatabase({ connection }: DriverSettings): string {
  return String(connection.database)
}

/** Describes for messages where the database is. `client` is the name of its definition. */
export function serverPlace(client: string, { connection }: DriverSettings): string {
  const { host, port, database } = addressOf(connection)
  const { schema } = connection
  const within = schema === undefined ? '' : `, schema "${schema}",`
  return `the ${client} database "${database ?? ''}"${within} at ${host}:${port}`
}

/** Describes for messages as whom the database is opened, and which settings are missing. */
export function serverAccount({ connection }: DriverSettings): string {
  const { database, user } = addressOf(connection)
  const missing = [
    ...(database === undefined ? ['connection.database or DATABASE_NAME'] : []),
    ...(user === undefined ? ['connection.user or DATABASE_USERNAME'] : []),
  ]
  const text = user === undefined ? ' without a user' : ` as ${user}`
  return missing.length === 0 ? text : `${text} (not set: ${missing.join(', ')})`
}

/** The address in the settings; a connection string takes precedence over them. */
function addressOf(connection: ConnectionSettings): ConnectionSettings {
  const text = connection.connectionString ?? connection.uri
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  if (url === null) return connection
  const { hostname, port, pathname, username } = url
  return {
    host: hostname || connection.host,
    port: port || connection.port,
    database: pathname.slice(1) || connection.database,
    user: username || connection.user,
  }
}
