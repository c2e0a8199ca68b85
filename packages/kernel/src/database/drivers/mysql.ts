// MySQL and MariaDB by mysql2: statements prepared once per connection (`execute`).

import type { Connection, ResultSetHeader } from 'mysql2'
import type { Bound } from '../../sql/dialect.ts'
import { mariadb, mysql } from '../../sql/mysql.ts'
import type { ResolvedDatabase } from '../config.ts'
import type { Change, Maybe, Rows, StatementListener, Step } from '../session.ts'
import type { Driver, DriverSession } from './driver.ts'
import { isLost } from '../retry.ts'
import { areJoinable, blockOf, isJoinable, mostSteps, rowsOf, tellsChanges } from './mariadb-block.ts'
import { spread } from './mysql-lists.ts'

/** Most statements that a connection keeps; the server counts those of all connections. */
const mostPrepared = 500

/** What no prepared statement may say. */
const isControl = (text: string) => /^(BEGIN$|COMMIT$|ROLLBACK|SAVEPOINT |RELEASE |SET )/.test(text)

/** After these errors the server has taken back the whole transaction: what follows would be committed alone. */
const endsTransaction = (error: unknown) =>
  /^ER_(LOCK_DEADLOCK|CHECKREAD|LOCK_TABLE_FULL)$/.test(String((error as { code?: unknown }).code))

/** Puts a connection in order, whatever became of the transaction. */
const isCleaning = (text: string) => /^(ROLLBACK$|SET |SELECT RELEASE_LOCK)/.test(text)

/** A session on a mysql2 connection. On MariaDB, what nobody waits for goes to the server with the next statement. */
export class MysqlSession implements DriverSession {
  readonly connection: Connection
  readonly #runsBlocks: () => boolean
  readonly inTransaction = true
  listener: StatementListener = null
  #unsent: Step[] = []
  #isWithin = false
  #lost: unknown = null
  /** Something sent was not done, because of this error: the transaction, or its part, can only be taken back. */
  #failed: unknown = null
  /** The statement of a transaction that runs; null where none does. */
  #running: Promise<unknown> | null = null

  /** `runsBlocks`: is it a MariaDB? Known once the server was met. */
  constructor(connection: Connection, runsBlocks: () => boolean) {
    this.connection = connection
    this.#runsBlocks = runsBlocks
  }

  async all(text: string, values: readonly Bound[]): Promise<Rows> {
    const last = { text, values }
    const unsent = this.#hear(text)
    const isJoined = unsent.length > 0 && isJoinable(last)
    const result = await this.#submit(unsent, [last], isJoined)
    return isJoined ? (rowsOf(result, 1)[0] ?? []) : (result as Rows)
  }

  get joins(): boolean {
    return this.#runsBlocks()
  }

  async allOf(steps: readonly Step[]): Promise<Rows[]> {
    if (steps.length > 1 && this.joins && areJoinable(steps)) {
      for (const { text } of steps) this.listener?.(text)
      return rowsOf(await this.#submit(this.#take(), steps, true), steps.length)
    }
    const answers: Rows[] = []
    for (const { text, values } of steps) answers.push(await this.all(text, values))
    return answers
  }

  async run(text: string, values: readonly Bound[]): Promise<Change> {
    const unsent = this.#hear(text)
    if (text.startsWith('ROLLBACK')) return this.#takeBack(text, unsent)
    const last = { text, values }
    const isJoined = unsent.length > 0 && (text === 'COMMIT' || tellsChanges(unsent, last))
    const { affectedRows, insertId } = (await this.#submit(unsent, [last], isJoined)) as ResultSetHeader
    return { changes: affectedRows ?? 0, id: Number(insertId ?? 0) }
  }

  send(text: string, values: readonly Bound[]): Maybe<unknown> {
    const step = { text, values }
    const mayWait = this.#runsBlocks() && (text === 'BEGIN' || (this.#isWithin && isJoinable(step)))
    if (!mayWait) return this.#submit(this.#hear(text), [step])
    if (this.listener !== null) this.listener(text)
    if (text === 'BEGIN') this.#isWithin = true
    this.#unsent.push(step)
    return this.#unsent.length < mostSteps ? undefined : this.flush()
  }

  /** What comes next, by whatever way, must not run in a transaction that is none any more. */
  async flush(): Promise<void> {
    const refusal = this.#lost ?? this.#failed
    if (refusal !== null) throw refusal
    const unsent = this.#take()
    if (unsent.length > 0) await this.#submit(unsent, [])
  }

  lose(error: unknown): void {
    if (this.#isWithin) this.#lost ??= error
  }

  #hear(text: string): Step[] {
    if (this.listener !== null) this.listener(text)
    return this.#take()
  }

  #take(): Step[] {
    const steps = this.#unsent
    if (steps.length > 0) this.#unsent = []
    return steps
  }

  /** What is taken back need not be sent, at times not even the transaction's BEGIN. */
  async #takeBack(text: string, unsent: readonly Step[]): Promise<Change> {
    if (unsent[0]?.text === 'BEGIN') {
      this.#lost = null
      this.#failed = null
      this.#isWithin = false
    } else await this.#submit([], [{ text, values: [] }])
    return nothing
  }

  /**
   * Runs what was not sent yet, then the last steps, `isJoined` with it, and returns what those give. In a transaction one after the
   * other: behind one that ends it, the next must not be on its way already.
   */
  #submit(unsent: readonly Step[], last: readonly Step[], isJoined = false): Promise<unknown> {
    const start = () => (unsent.length === 0 ? this.#start(blockOf(last)) : this.#startAll(unsent, last, isJoined))
    if (!this.#isWithin) return start()
    const result = this.#running === null ? start() : this.#running.then(start)
    const end = () => {
      if (this.#running === ended) this.#running = null
    }
    const ended: Promise<void> = result.then(end, end)
    this.#running = ended
    return result
  }

  async #startAll(unsent: readonly Step[], last: readonly Step[], isJoined: boolean): Promise<unknown> {
    try {
      const ends = isJoined && last.at(-1)!.text === 'COMMIT'
      const result = await this.#start(blockOf(isJoined ? [...unsent, ...last] : unsent), ends)
      if (isJoined || last.length === 0) return result
    } catch (error) {
      await this.#settle(unsent, error)
      throw error
    }
    return await this.#start(blockOf(last))
  }

  /** Nobody can tell which steps of a block were done, and not even that BEGIN was where the server did not understand it. */
  async #settle(unsent: readonly Step[], error: unknown): Promise<void> {
    if (!this.#isWithin || this.#lost !== null) return
    this.#failed ??= error
    if (unsent.length > 1 || unsent[0]!.text !== 'BEGIN' || isLost(error)) return
    // Only its BEGIN went before the statement, whose caller has the error: the transaction goes on.
    this.#failed = null
    await this.#start({ text: 'BEGIN', values: [] }).catch((again: unknown) => {
      this.#failed = again
    })
  }

  /** `ends`: its last step is COMMIT. */
  #start({ text, values }: Step, ends = text === 'COMMIT' || text === 'ROLLBACK'): Promise<unknown> {
    const refusal = this.#lost ?? (text.startsWith('ROLLBACK') ? null : this.#failed)
    if (refusal !== null && !isCleaning(text)) return Promise.reject(refusal)
    if (text.startsWith('ROLLBACK')) this.#failed = null
    if (text === 'ROLLBACK') this.#lost = null
    if (text === 'BEGIN') this.#isWithin = true
    if (ends) this.#isWithin = false
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

const nothing: Change = { changes: 0, id: 0 }

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
  let met = mysql
  return {
    dialect: mysql,
    async meet(session) {
      const [[version] = []] = await session.all('SELECT VERSION()', [])
      met = isMariadb(String(version)) ? mariadb : mysql
      return met
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
    open: raw => new MysqlSession(raw as Connection, () => met === mariadb),
    openReader: () => null,
    version: () => null,
    async fingerprint(session, table, id, locks) {
      const text = `SELECT * FROM ${mysql.quote(table)} WHERE ${mysql.quote('id')} = ?`
      return JSON.stringify((await session.all(locks ? `${text} FOR UPDATE` : text, [id]))[0])
    },
    close: () => {},
  }
}
