// The driver of MySQL and MariaDB, with mysql2: statements are prepared once per connection (`execute`).

import type { Socket } from 'node:net'
import {
  connectTimeout,
  type Dialect,
  type Driver,
  numbersOf,
  type Requirement,
  requireVersion,
} from '@plinth/kernel/database'
import { countIncoming, manyWriters, type ServerSettings } from '@plinth/sql-servers'
import mysql2, { type Connection } from 'mysql2'
import { Blocks } from './blocks.ts'
import { mysqlDdl } from './ddl.ts'
import { laterMariadb, mariadb, mysql, stamp as mysqlStamp } from './dialect.ts'
import { mysqlErrors } from './errors.ts'
import { liftTimes, setTimes } from './limits.ts'
import { NarrowColumns } from './narrow.ts'
import { MysqlSession } from './session.ts'
import { mysqlDdlInZone, mysqlInZone } from './zone.ts'

/**
 * The least and the most statements that a connection keeps prepared; the server limits the total of all connections.
 */
const leastPrepared = 50
const maxPrepared = 500

/** The number of processes of this size whose prepared statements fit into half of the server's limit. */
const processes = 8

/** A connection's share of `max`, the server's `max_prepared_stmt_count`. */
export function shareOf(max: number, connections: number): number {
  const share = Math.floor(max / 2 / processes / connections)
  return Math.min(maxPrepared, Math.max(leastPrepared, share))
}

/** Invalid values are errors and are never truncated. At READ COMMITTED, a transaction reads what is committed. */
const modes = `sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION'`
/**
 * Columns of the type TIMESTAMP are read and written by the zone of the session. v4 left it as the server has it, so it
 * stays where datetimes are stored as v4's process had them.
 */
const inUtc = `${modes}, time_zone = '+00:00'`
const isolation = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'

/** `CAST(… AS DOUBLE)`; numbered rows, and columns that are renamed, are older. */
const requiredMysql: Requirement = { product: 'MySQL', least: [8, 0, 17] }
/** Renamed columns and indexes; INSERT … RETURNING is older. */
const requiredMariadb: Requirement = { product: 'MariaDB', least: [10, 5, 2] }

/** The dialect of a server. Throws StartError if its version is too old. */
function dialectOf(version: string): Dialect {
  if (!/mariadb/i.test(version)) {
    requireVersion(version, requiredMysql)
    return mysql
  }
  // MariaDB puts 5.5.5 before its version where old clients would refuse a version of two digits.
  const own = version.replace(/^5\.5\.5-(?=\d)/, '')
  requireVersion(own, requiredMariadb)
  const [major = 0, minor = 0] = numbersOf(own)
  return major * 100 + minor < 1105 ? mariadb : laterMariadb
}

const socketOf = (connection: object) => (connection as { readonly stream: Socket }).stream

/** Cancels the statement of a connection. It is not an error if none runs or if the connection is gone. */
function killQuery(beside: Connection, { threadId }: Connection): Promise<void> {
  return new Promise(resolve => beside.query(`KILL QUERY ${threadId}`, () => resolve()))
}

/** The driver of a MySQL or MariaDB server. */
export function createMysqlDriver(config: ServerSettings): Driver {
  const blocks = new Blocks()
  const narrow = new NarrowColumns()
  let share = leastPrepared
  const { zone, consistentReads: takesSnapshots = false } = config
  const settings = [setTimes(config, zone === null ? inUtc : modes), isolation]
  return {
    dialect: mysql,
    ddl: zone === null ? mysqlDdl : mysqlDdlInZone(mysqlDdl, zone),
    errors: mysqlErrors,
    async connect(session) {
      const [[version, most] = []] = await session.all('SELECT VERSION(), @@max_prepared_stmt_count', [])
      share = shareOf(Number(most), config.pool.max)
      const dialect = dialectOf(String(version))
      if (dialect !== mysql) blocks.admit(Math.ceil(share * 0.6))
      const connected: Dialect = { ...dialect, narrowTests: (table, column) => narrow.testsOf(table, column) }
      return zone === null ? connected : mysqlInZone(connected, zone)
    },
    findNarrow: (session, dialect) => narrow.read(session, dialect),
    // mysql2 knows no names of zones, and writes a Date in UTC.
    ...(zone !== null && { dateText: (date: Date) => mysqlStamp(zone.localOf(date.getTime())) }),
    module: mysql2,
    knex: {
      client: 'mysql2',
      connection: {
        connectTimeout: connectTimeout(config),
        ...config.connection,
        charset: 'utf8mb4',
        timezone: 'Z',
        dateStrings: true,
        supportBigNumbers: true,
        bigNumberStrings: true,
        decimalNumbers: false,
        jsonStrings: true,
        multipleStatements: false,
        maxPreparedStatements: maxPrepared,
      } as never,
      pool: {
        ...config.pool,
        afterCreate: (connection: Connection, done: (error: Error | null, connection: unknown) => void) => {
          const set = (i: number): void => {
            if (i === settings.length) done(null, connection)
            else connection.query(settings[i]!, error => (error === null ? set(i + 1) : done(error, connection)))
          }
          set(0)
        },
      },
    },
    limits: liftTimes(config),
    connections: manyWriters({
      cancel: async (sessions, openBeside) => {
        const beside = (await openBeside()) as Connection
        try {
          for (const { connection } of sessions) await killQuery(beside, connection as Connection)
        } finally {
          beside.destroy()
        }
      },
      elect: async session => session.all(`SELECT GET_LOCK(CONCAT('plinth_elected_', MD5(DATABASE())), 0)`, []),
    }),
    snapshot: ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION WITH CONSISTENT SNAPSHOT'],
    readOnlyStatement: 'SET SESSION TRANSACTION READ ONLY',
    socketOf,
    open(raw) {
      const session = new MysqlSession(raw as Connection, blocks, { maxPrepared: share, takesSnapshots })
      countIncoming(socketOf(raw), session.usage)
      return session
    },
    async rowVersion(session, table, id, locks) {
      const text = `SELECT * FROM ${mysql.quote(table)} WHERE ${mysql.quote('id')} = ?`
      return JSON.stringify((await session.all(locks ? `${text} FOR UPDATE` : text, [id]))[0])
    },
    close: () => {},
  }
}
