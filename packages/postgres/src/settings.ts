// The settings that sessions of PostgreSQL need, and the statements that set them: for the connection, or where a pooler
// gives each transaction another server connection, for the transaction. Does not depend on sessions.

import type { ServerSettings } from '@plinth/sql-servers'
import { zoneValue } from './zone.ts'

/** The settings of config/database that sessions need. */
export type SessionSettings = Pick<
  ServerSettings,
  'connection' | 'zone' | 'statementTimeout' | 'lockTimeout' | 'idleTransactionTimeout'
>

/** A setting by the server's name for it. */
export type Setting = readonly [name: string, value: string]

/** Milliseconds that a migration waits for a table or for another process's migration. */
const migrationPatience = 600_000

/** The time limits while tables change. */
export const lifted: readonly Setting[] = [
  ['statement_timeout', '0'],
  ['lock_timeout', String(migrationPatience)],
  ['idle_in_transaction_session_timeout', '0'],
]

/** The time limits that the configuration sets, in milliseconds. */
function limitsOf(config: SessionSettings): readonly Setting[] {
  const all = [
    ['statement_timeout', config.statementTimeout],
    ['lock_timeout', config.lockTimeout],
    ['idle_in_transaction_session_timeout', config.idleTransactionTimeout],
  ] as const
  return all.filter(([, value]) => value > 0).map(([name, value]) => [name, String(value)])
}

/** Lists the settings of a session apart from its time limits: datetimes have one form for any configuration of the server. */
function formsOf({ zone, connection: { schema } }: SessionSettings): readonly Setting[] {
  return [
    ...(schema === undefined ? [] : [['search_path', `"${String(schema).replaceAll('"', '""')}"`] as const]),
    ['TimeZone', zoneValue(zone)],
    ['DateStyle', 'ISO, YMD'],
    ['standard_conforming_strings', 'on'],
    ['extra_float_digits', '1'],
  ]
}

/** All settings of a session. */
export function settingsOf(config: SessionSettings): readonly Setting[] {
  return [...formsOf(config), ...limitsOf(config)]
}

/** A text in SQL. */
export const literal = (value: string) => `'${value.replaceAll("'", "''")}'`

/** A statement that sets these settings for the connection, or until the end of the transaction. */
export function settingText(settings: readonly Setting[], until: 'connection' | 'transaction'): string {
  const calls = settings.map(
    ([name, value]) => `set_config(${literal(name)}, ${literal(value)}, ${until === 'transaction'})`,
  )
  return `SELECT ${calls.join(', ')}`
}

/** The first statement of a transaction, by whether its time is limited; null if it needs none. */
export interface Openings {
  readonly limited: string | null
  readonly unlimited: string
}

/** The openings of transactions on connections that have all settings. */
export const openingsOfOwn: Openings = { limited: null, unlimited: settingText(lifted, 'transaction') }

/** The openings of transactions where connections start with `defaults` and keep nothing. */
export function openingsOfShared(config: SessionSettings, defaults: ReadonlyMap<string, string>): Openings {
  // Server connections that are older than a change of the role have another default of the schema.
  const isNeeded = ([name, value]: Setting) => name === 'search_path' || defaults.get(name) !== value
  const limited = settingsOf(config).filter(isNeeded)
  return {
    limited: limited.length === 0 ? null : settingText(limited, 'transaction'),
    unlimited: settingText([...formsOf(config).filter(isNeeded), ...lifted], 'transaction'),
  }
}

/** A query for the values with which a connection begins, by the names of all settings. */
export function defaultsText(config: SessionSettings): string {
  const names = settingsOf(config).map(([name]) => `'${name}'`)
  return `SELECT name, reset_val FROM pg_settings WHERE name IN (${names.join(', ')})`
}
