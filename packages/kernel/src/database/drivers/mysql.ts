// MySQL and MariaDB by mysql2: statements prepared once per connection (`execute`).

import type { Connection } from 'mysql2'
import { mariadb, mysql } from '../../sql/mysql.ts'
import type { ResolvedDatabase } from '../config.ts'
import type { Driver } from './driver.ts'
import { Blocks } from './mariadb-block.ts'
import { MysqlSession } from './mysql-session.ts'

/** Most statements that a connection keeps; the server counts those of all connections. */
const mostPrepared = 500

/** Wrong values are errors and never cut to size; what a transaction reads is what is committed. */
const settings = [
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00'`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
]

/** `11.4.2-MariaDB`; older ones than 10.5 know as little as MySQL does. */
function isMariadb(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+).*MariaDB/i.exec(version) ?? []
  return major !== undefined && Number(major) * 100 + Number(minor) >= 1005
}

type ServerDatabase = Exclude<ResolvedDatabase, { client: 'sqlite' }>

/** The driver of a MySQL or MariaDB server. */
export function createMysqlDriver(config: ServerDatabase): Driver {
  const blocks = new Blocks()
  return {
    dialect: mysql,
    async meet(session) {
      const [[version] = []] = await session.all('SELECT VERSION()', [])
      blocks.areKnown = isMariadb(String(version))
      return blocks.areKnown ? mariadb : mysql
    },
    knex: {
      client: 'mysql2',
      connection: {
        ...config.connection,
        charset: 'utf8mb4',
        timezone: 'Z',
        dateStrings: true,
        supportBigNumbers: true,
        bigNumberStrings: true,
        decimalNumbers: false,
        jsonStrings: true,
        multipleStatements: false,
        maxPreparedStatements: mostPrepared,
      } as never,
      pool: {
        ...config.pool,
        afterCreate: (connection: Connection, done: (error: Error | null, connection: unknown) => void) => {
          const tell = (i: number): void => {
            if (i === settings.length) done(null, connection)
            else connection.query(settings[i]!, error => (error === null ? tell(i + 1) : done(error, connection)))
          }
          tell(0)
        },
      },
    },
    hasOneWriter: false,
    electionText: `SELECT GET_LOCK(CONCAT('plinth_elected_', MD5(DATABASE())), 0)`,
    // Not BEGIN, which waits for the first statement: the level is for the next transaction, whosever that is.
    begin: serializable =>
      serializable ? ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'START TRANSACTION'] : ['BEGIN'],
    open: raw => new MysqlSession(raw as Connection, blocks),
    openReader: () => null,
    version: () => null,
    async fingerprint(session, table, id, locks) {
      const text = `SELECT * FROM ${mysql.quote(table)} WHERE ${mysql.quote('id')} = ?`
      return JSON.stringify((await session.all(locks ? `${text} FOR UPDATE` : text, [id]))[0])
    },
    close: () => {},
  }
}
