// The driver of PostgreSQL, with pg: opens and sets up connections, and cancels their statements.

import type { Socket } from 'node:net'
import {
  connectTimeout,
  type Driver,
  type DriverSession,
  type Requirement,
  requireVersion,
  type Session,
  StartError,
} from '@plinth/kernel/database'
import { countIncoming, manyWriters, type ServerSettings } from '@plinth/sql-servers'
import pg, { type Client } from 'pg'
import { cancelQuery } from './cancel.ts'
import { dateText, readDates } from './dates.ts'
import { behindPooler, postgresDdl, withOpening } from './ddl.ts'
import { postgres } from './dialect.ts'
import { postgresErrors } from './errors.ts'
import { openingsBehind, remarkOf } from './pooler.ts'
import { findRoute } from './route.ts'
import { PostgresSession, type SessionMode, snapshotText } from './session.ts'
import { lifted, literal, openingsOfOwn, settingsOf, settingText } from './settings.ts'
import { postgresDdlInZone, postgresInZone } from './zone.ts'

const socketOf = (client: object) => (client as { readonly connection: { readonly stream: Socket } }).connection.stream

/** idle_in_transaction_session_timeout; the other features are older. */
const required: Requirement = { product: 'PostgreSQL', least: [9, 6] }

/** The lock of the elected process belongs to a schema. The two numbers are a lock of their own, apart from one number. */
const electionText = (schema: string) =>
  `SELECT pg_try_advisory_xact_lock(1886153333, CAST(CAST('x' || LEFT(MD5(${schema}), 8) AS bit(32)) AS integer))`

/** Limits of the time that a transaction may stay open, if the server has them. */
const stayOpen = `SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')`

/**
 * A SELECT keeps its snapshot until the next statement of the connection, which may never come: no dead row could be
 * removed meanwhile, and CREATE INDEX CONCURRENTLY would wait for its end.
 */
const withoutSnapshot = 'SET LOCAL idle_in_transaction_session_timeout = 0'

/** Throws StartError if the database has no such schema: nothing creates one, and without it no table is found. */
async function requireSchema(session: Session, schema: string): Promise<void> {
  const rows = await session.all(`SELECT 1 FROM pg_namespace WHERE nspname = ${literal(schema)}`, [])
  if (rows.length > 0) return
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `config/database: connection.schema: the database has no schema "${schema}"; make it by CREATE SCHEMA "${schema}"`,
  )
}

/** The driver of a PostgreSQL server. */
export function createPostgresDriver(config: ServerSettings): Driver {
  const { schema, ...connection } = config.connection
  const { zone } = config
  const mode: SessionMode = {
    isNamed: false,
    openings: openingsOfOwn,
    takesSnapshots: config.consistentReads ?? false,
  }
  /** The statement that each new connection runs; null until it is known whether others would share the settings. */
  let ownSettings: string | null = null
  const elect = async (session: DriverSession) => {
    session.begin(false)
    await session.all(stayOpen, [])
    const rows = await session.all(
      electionText(schema === undefined ? 'CURRENT_SCHEMA()' : literal(String(schema))),
      [],
    )
    await session.run(withoutSnapshot, [])
    return rows
  }
  const settle = async (session: Session, openSecond: () => Promise<object>) => {
    const search = { isNamed: config.preparedStatements, elect, timeout: connectTimeout(config) }
    const first = (session as PostgresSession).connection
    const route = await findRoute({ first, openSecond: openSecond as () => Promise<Client>, ...search })
    if (route.kind === 'transaction') mode.openings = await openingsBehind(route, session, config)
    else {
      ownSettings = settingText(settingsOf(config), 'connection')
      await first.query(ownSettings)
    }
    mode.isNamed = config.preparedStatements
    return remarkOf(route, config)
  }
  // A connection for indexes has no settings yet.
  const opening = settingText([...settingsOf(config), ...lifted], 'connection')
  const ddl = withOpening(zone === null ? postgresDdl : postgresDdlInZone(postgresDdl), opening)
  return {
    dialect: postgres,
    get ddl() {
      return mode.openings === openingsOfOwn ? ddl : behindPooler(ddl)
    },
    errors: postgresErrors,
    async connect(session) {
      const [[version] = []] = await session.all(`SELECT current_setting('server_version')`, [])
      requireVersion(String(version), required)
      if (schema !== undefined) await requireSchema(session, String(schema))
      return zone === null ? postgres : postgresInZone(postgres, zone)
    },
    dateText: date => dateText(zone, date),
    module: pg,
    knex: {
      client: 'pg',
      connection: { connectionTimeoutMillis: connectTimeout(config), ...connection } as never,
      pool: {
        ...config.pool,
        afterCreate: (client: Client, done: (error: Error | null, client: unknown) => void) => {
          readDates(client, zone)
          if (ownSettings === null) done(null, client)
          else client.query(ownSettings, error => done(error as Error | null, client))
        },
      },
    },
    get limits() {
      return { lift: mode.openings.unlimited, restore: null }
    },
    connections: manyWriters({
      cancel: async sessions => {
        await Promise.all(sessions.map(({ connection }) => cancelQuery(connection as Client)))
      },
      elect,
      settle,
    }),
    snapshot: [snapshotText],
    readOnlyStatement: null,
    socketOf,
    open(raw) {
      const session = new PostgresSession(raw as Client, mode)
      countIncoming(socketOf(raw), session.usage)
      return session
    },
    async rowVersion(session, table, id, locks) {
      const text = `SELECT t.xmin FROM ${postgres.quote(table)} t WHERE t.${postgres.quote('id')} = $1`
      return String((await session.all(locks ? `${text} FOR NO KEY UPDATE` : text, [id]))[0]?.[0])
    },
    close: () => {},
  }
}
