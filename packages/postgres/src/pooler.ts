// The rules behind a pooler that gives each transaction another server connection: what a start refuses there, and what
// it says. How the server is reached is found in route.ts.

import { type Session, StartError } from '@plinth/kernel/database'
import type { ServerSettings } from '@plinth/sql-servers'
import type { Route } from './route.ts'
import { defaultsText, type Openings, openingsOfShared } from './settings.ts'

/**
 * The openings of transactions on server connections that others use, too. Throws StartError (PLINTH_DATABASE_POOLER) if
 * statements or the schema would be those of others.
 */
export async function openingsBehind(
  { keepsStatements }: Route,
  session: Session,
  config: ServerSettings,
): Promise<Openings> {
  if (config.preparedStatements && !keepsStatements)
    throw refusal(
      'and does not keep prepared statements: set preparedStatements: false here, or pool_mode = session in the pooler, or with PgBouncer 1.21 or later max_prepared_statements = 200',
    )
  const { schema } = config.connection
  if (schema !== undefined) await requireSchema(session, String(schema))
  const rows = await session.all(defaultsText(config), [])
  return openingsOfShared(config, new Map(rows.map(([name, value]) => [String(name), String(value)])))
}

/** Throws unless all connections of the user begin in the schema. */
async function requireSchema(session: Session, schema: string): Promise<void> {
  // Others may have changed the setting on this server connection: the value with which it began decides.
  const results = await session.batch([
    {
      text: `SELECT set_config('search_path', reset_val, true) FROM pg_settings WHERE name = 'search_path'`,
      values: [],
    },
    { text: 'SELECT CURRENT_SCHEMA(), CURRENT_USER', values: [] },
  ])
  const [begun, user] = results[1]![0]!
  if (begun === schema) return
  const quoted = (name: unknown) => `"${String(name).replaceAll('"', '""')}"`
  throw refusal(
    `so that connection.schema would set the schema of others: let each schema have a database user of its own that begins in it (ALTER ROLE … SET search_path = ${quoted(schema)}, then RECONNECT in PgBouncer), or set pool_mode = session in the pooler; the user ${quoted(user)} begins in ${begun === null ? 'no schema' : `the schema ${quoted(begun)}`}`,
  )
}

function refusal(fault: string): StartError {
  return new StartError(
    'PLINTH_DATABASE_POOLER',
    `config/database: the pooler before PostgreSQL gives each transaction another server connection, ${fault}`,
  )
}

/** Returns what a start says about the route; null if nothing stands before the server. */
export function remarkOf({ kind }: Route, { preparedStatements }: ServerSettings): string | null {
  if (kind === 'direct') return null
  if (kind === 'session')
    return 'PostgreSQL is reached through a pooler that gives each connection a server connection of its own (session mode)'
  const how = preparedStatements ? 'which keeps prepared statements' : 'without prepared statements'
  return `PostgreSQL is reached through a pooler that gives each transaction another server connection (transaction mode), ${how}: time limits and settings are set in each transaction`
}
