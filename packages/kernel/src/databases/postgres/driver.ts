// The driver of PostgreSQL, with pg: opens and sets up connections, and cancels their statements.

import type { Client } from 'pg'
import { connectTimeout, type Driver, type Limits } from '../../database/driver.ts'
import type { ResolvedDatabase } from '../config.ts'
import { cancelQuery } from './cancel.ts'
import { dateText, readDates } from './dates.ts'
import { postgresDdl } from './ddl.ts'
import { postgres } from './dialect.ts'
import { postgresErrors } from './errors.ts'
import { PostgresSession } from './session.ts'
import { type Requirement, requireVersion } from '../versions.ts'
import { postgresDdlInZone, postgresInZone, setZone } from './zone.ts'

/** The socket of a pg connection. */
type Wired = Client & { readonly connection: { readonly stream: { destroy(why: Error): void } } }

/** The first statements on every connection: dates have one format for any server configuration. */
const settings = [`SET DateStyle = 'ISO, YMD'`, 'SET standard_conforming_strings = on', 'SET extra_float_digits = 1']

type ServerDatabase = Exclude<ResolvedDatabase, { client: 'sqlite' }>

/** The time limits by the server's names, in milliseconds. */
function limitsOf(config: ServerDatabase): readonly (readonly [name: string, value: number])[] {
  const all = [
    ['statement_timeout', config.statementTimeout],
    ['lock_timeout', config.lockTimeout],
    ['idle_in_transaction_session_timeout', config.idleTransactionTimeout],
  ] as const
  return all.filter(([, value]) => value > 0)
}

/** idle_in_transaction_session_timeout; the other features are older. */
const required: Requirement = { product: 'PostgreSQL', least: [9, 6] }

/** Milliseconds that a migration waits for a table or for another process's migration. */
const migrationPatience = 600_000

/** A statement that sets the limits for the session. */
const setLimits = (limits: ReturnType<typeof limitsOf>) =>
  `SELECT ${limits.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`

const lifted = [
  ['statement_timeout', 0],
  ['lock_timeout', migrationPatience],
  ['idle_in_transaction_session_timeout', 0],
] as const

/**
 * Statements that lift and restore the limits; those that the configuration does not set return to the server's values.
 */
function liftable(config: ServerDatabase): Limits {
  const own = new Map(limitsOf(config))
  const restored = lifted.map(([name]) => {
    const value = own.get(name)
    const text = value === undefined ? `(SELECT reset_val FROM pg_settings WHERE name = '${name}')` : `'${value}'`
    return `set_config('${name}', ${text}, false)`
  })
  return { lift: setLimits(lifted), restore: `SELECT ${restored.join(', ')}` }
}

/** The driver of a PostgreSQL server. */
export function createPostgresDriver(config: ServerDatabase): Driver {
  const { schema, ...connection } = config.connection
  const limits = limitsOf(config).map(([name, value]) => `SET ${name} = ${value}`)
  const { zone } = config
  const setAll = [setZone(zone), ...settings, ...limits].join('; ')
  return {
    dialect: postgres,
    ddl: zone === null ? postgresDdl : postgresDdlInZone(postgresDdl),
    errors: postgresErrors,
    async connect(session) {
      const [[version] = []] = await session.all(`SELECT current_setting('server_version')`, [])
      requireVersion(String(version), required)
      return zone === null ? postgres : postgresInZone(postgres, zone)
    },
    dateText: date => dateText(zone, date),
    knex: {
      client: 'pg',
      connection: { connectionTimeoutMillis: connectTimeout(config), ...connection } as never,
      ...(schema === undefined ? {} : { searchPath: [schema as string] }),
      pool: {
        ...config.pool,
        afterCreate: (client: Client, done: (error: Error | null, client: unknown) => void) => {
          readDates(client, zone)
          client.query(setAll, error => done(error as Error | null, client))
        },
      },
    },
    limits: liftable(config),
    interruption: () => ({
      cancel: async sessions => {
        await Promise.all(sessions.map(({ connection }) => cancelQuery(connection as Client)))
      },
      destroy: ({ connection }, why) => void (connection as Wired).connection.stream.destroy(why),
    }),
    hasOneWriter: false,
    snapshot: ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'],
    electionText: 'SELECT pg_try_advisory_lock(1886153333)',
    open: raw => new PostgresSession(raw as Client),
    openReader: () => null,
    async rowVersion(session, table, id, locks) {
      const text = `SELECT t.xmin FROM ${postgres.quote(table)} t WHERE t.${postgres.quote('id')} = $1`
      return String((await session.all(locks ? `${text} FOR NO KEY UPDATE` : text, [id]))[0]?.[0])
    },
    close: () => {},
  }
}
