// MySQL and MariaDB by mysql2: statements prepared once per connection (`execute`). A list among the values becomes as
// many places, padded to a power of two, so that lists of all lengths make few statements.

import type { Connection, ResultSetHeader } from 'mysql2'
import type { Bound } from '../../sql/dialect.ts'
import { mysql } from '../../sql/mysql.ts'
import type { ResolvedDatabase } from '../config.ts'
import type { Change, Rows, StatementListener } from '../session.ts'
import type { Driver, DriverSession } from './driver.ts'

/** Most statements that a connection keeps; the server counts those of all connections. */
const mostPrepared = 500

/** What no prepared statement may say. */
const isControl = (text: string) => /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET) ?/.test(text)

/** A session on a mysql2 connection. */
export class MysqlSession implements DriverSession {
  readonly connection: Connection
  readonly inTransaction = true
  listener: StatementListener = null

  constructor(connection: Connection) {
    this.connection = connection
  }

  async all(text: string, values: readonly Bound[]): Promise<Rows> {
    return (await this.#execute(text, values)) as Rows
  }

  async run(text: string, values: readonly Bound[]): Promise<Change> {
    const { affectedRows, insertId } = (await this.#execute(text, values)) as ResultSetHeader
    return { changes: affectedRows ?? 0, id: Number(insertId ?? 0) }
  }

  #execute(text: string, values: readonly Bound[]): Promise<unknown> {
    if (this.listener !== null) this.listener(text)
    return new Promise((resolve, reject) => {
      const done = (error: unknown, result: unknown) => (error === null ? resolve(result) : reject(error as Error))
      if (isControl(text)) this.connection.query(text, done)
      else {
        const { sql, bound } = spread(text, values)
        this.connection.execute({ sql, values: bound as never[], rowsAsArray: true }, done as never)
      }
    })
  }
}

const texts = new Map<string, string>()

/** Puts the elements of lists in the place of the lists. */
export function spread(text: string, values: readonly Bound[]): { sql: string; bound: readonly unknown[] } {
  if (!values.some(one => Array.isArray(one) || typeof one === 'number')) return { sql: text, bound: values }
  const bound: unknown[] = []
  const sizes = new Map<number, number>()
  for (const [i, value] of values.entries()) {
    // A number would go as a float, and LIMIT takes none.
    if (!Array.isArray(value)) bound.push(typeof value === 'number' ? String(value) : value)
    else {
      const size = 2 ** Math.ceil(Math.log2(Math.max(1, value.length)))
      sizes.set(i, size)
      for (let k = 0; k < size; k++) bound.push(value[Math.min(k, value.length - 1)] ?? null)
    }
  }
  if (sizes.size === 0) return { sql: text, bound }
  const key = `${[...sizes].join()} ${text}`
  const known = texts.get(key)
  if (known !== undefined) return { sql: known, bound }
  let place = 0
  const sql = text.replace(/'(?:[^'\\]|''|\\.)*'|`[^`]*`|\?/g, part => {
    const size = part === '?' ? sizes.get(place++) : undefined
    return size === undefined ? part : Array(size).fill('?').join(', ')
  })
  if (texts.size >= 5000) texts.clear()
  texts.set(key, sql)
  return { sql, bound }
}

/** Wrong values are errors and never cut to size; what a transaction reads is what is committed. */
const settings = [
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00'`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
]

type ServerDatabase = Exclude<ResolvedDatabase, { client: 'sqlite' }>

/** The driver of a MySQL or MariaDB server. */
export function createMysqlDriver(config: ServerDatabase): Driver {
  return {
    dialect: mysql,
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
    begin: serializable => (serializable ? ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'BEGIN'] : ['BEGIN']),
    open: raw => new MysqlSession(raw as Connection),
    openReader: () => null,
    version: () => null,
    async fingerprint(session, table, id, locks) {
      const text = `SELECT * FROM ${mysql.quote(table)} WHERE ${mysql.quote('id')} = ?`
      return JSON.stringify((await session.all(locks ? `${text} FOR UPDATE` : text, [id]))[0])
    },
    close: () => {},
  }
}
