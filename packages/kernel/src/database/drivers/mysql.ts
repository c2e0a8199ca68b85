// MySQL and MariaDB by mysql2: statements prepared once per connection (`execute`). A list among the values becomes as
// many places, padded to a power of two, so that lists of all lengths make few statements.

import type { Connection, ResultSetHeader } from 'mysql2'
import type { Bound } from '../../sql/dialect.ts'
import { mariadb, mysql } from '../../sql/mysql.ts'
import type { ResolvedDatabase } from '../config.ts'
import type { Change, Rows, StatementListener } from '../session.ts'
import type { Driver, DriverSession } from './driver.ts'

/** Most statements that a connection keeps; the server counts those of all connections. */
const mostPrepared = 500

/** What no prepared statement may say. */
const isControl = (text: string) => /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET) ?/.test(text)

/** After these errors the server has taken back the whole transaction: what follows would be committed alone. */
const endsTransaction = (error: unknown) =>
  /^ER_(LOCK_DEADLOCK|CHECKREAD|LOCK_TABLE_FULL)$/.test(String((error as { code?: unknown }).code))

/** Puts a connection in order, whatever became of the transaction. */
const isCleaning = (text: string) => /^(ROLLBACK$|SET |SELECT RELEASE_LOCK)/.test(text)

/** A session on a mysql2 connection. */
export class MysqlSession implements DriverSession {
  readonly connection: Connection
  readonly inTransaction = true
  listener: StatementListener = null
  #isWithin = false
  #lost: unknown = null
  /** The statement of a transaction that runs; null where none does. */
  #running: Promise<unknown> | null = null

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

  send(text: string, values: readonly Bound[]): Promise<unknown> {
    return this.#execute(text, values)
  }

  /** What comes next, by whatever way, must not run in a transaction that is none any more. */
  async flush(): Promise<void> {
    if (this.#lost !== null) throw this.#lost
  }

  lose(error: unknown): void {
    if (this.#isWithin) this.#lost ??= error
  }

  /** In a transaction one after the other: behind one that ends it, the next must not be on its way already. */
  #execute(text: string, values: readonly Bound[]): Promise<unknown> {
    if (this.listener !== null) this.listener(text)
    if (!this.#isWithin) return this.#start(text, values)
    const start = () => this.#start(text, values)
    const result = this.#running === null ? start() : this.#running.then(start)
    const end = () => {
      if (this.#running === ended) this.#running = null
    }
    const ended: Promise<void> = result.then(end, end)
    this.#running = ended
    return result
  }

  #start(text: string, values: readonly Bound[]): Promise<unknown> {
    if (this.#lost !== null && !isCleaning(text)) return Promise.reject(this.#lost)
    if (text === 'BEGIN') this.#isWithin = true
    if (text === 'ROLLBACK') this.#lost = null
    if (text === 'ROLLBACK' || text === 'COMMIT') this.#isWithin = false
    return new Promise((resolve, reject) => {
      const done = (error: unknown, result: unknown) => {
        if (error === null) return resolve(result)
        if (endsTransaction(error)) this.lose(error)
        reject(error as Error)
      }
      if (isControl(text)) return void this.connection.query(text, done)
      const { sql, bound, isOnce } = spread(text, values, value => this.connection.escape(value))
      const statement = { sql, rowsAsArray: true }
      const end = (error: unknown, result: unknown) => {
        if (isOnce) this.connection.unprepare(statement as never)
        done(error, result)
      }
      this.connection.execute({ ...statement, values: bound as never[] }, end as never)
    })
  }
}

/** The longest list that becomes places: a statement has room for 65,535. Longer ones are written into the text. */
const longest = 4096

const texts = new Map<string, string>()

interface Spread {
  readonly sql: string
  readonly bound: readonly unknown[]
  /** No other question has this text. */
  readonly isOnce: boolean
}

/** Puts the elements of lists in the place of the lists; `write` makes literals of those of long ones. */
export function spread(text: string, values: readonly Bound[], write: (value: unknown) => string): Spread {
  if (!values.some(one => Array.isArray(one) || typeof one === 'number'))
    return { sql: text, bound: values, isOnce: false }
  const bound: unknown[] = []
  const lists = new Map<number, number | string>()
  let isOnce = false
  for (const [i, value] of values.entries()) {
    // A number would go as a float, and LIMIT takes none.
    if (!Array.isArray(value)) bound.push(typeof value === 'number' ? String(value) : value)
    else if (value.length > longest) {
      isOnce = true
      lists.set(i, value.map(write).join(', '))
    } else {
      const size = 2 ** Math.ceil(Math.log2(Math.max(1, value.length)))
      lists.set(i, size)
      for (let k = 0; k < size; k++) bound.push(value[Math.min(k, value.length - 1)] ?? null)
    }
  }
  if (lists.size === 0) return { sql: text, bound, isOnce }
  if (isOnce) return { sql: place(text, lists), bound, isOnce }
  const key = `${[...lists].join()} ${text}`
  const known = texts.get(key)
  if (known !== undefined) return { sql: known, bound, isOnce }
  const sql = place(text, lists)
  if (texts.size >= 5000) texts.clear()
  texts.set(key, sql)
  return { sql, bound, isOnce }
}

/** The text with as many places as each list has elements, or with the elements themselves. */
function place(text: string, lists: ReadonlyMap<number, number | string>): string {
  let i = 0
  return text.replace(/'(?:[^'\\]|''|\\.)*'|`[^`]*`|\?/g, part => {
    const list = part === '?' ? lists.get(i++) : undefined
    if (list === undefined) return part
    return typeof list === 'string' ? list : Array(list).fill('?').join(', ')
  })
}

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
  return {
    dialect: mysql,
    async meet(session) {
      const [[version] = []] = await session.all('SELECT VERSION()', [])
      return isMariadb(String(version)) ? mariadb : mysql
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
