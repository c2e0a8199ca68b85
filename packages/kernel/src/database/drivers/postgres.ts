// PostgreSQL by pg: named statements, prepared once per connection; values come as the server writes them, as text, and
// the dialect's codecs read them.

import type { Client } from 'pg'
import type { Bound } from '../../sql/dialect.ts'
import { postgres } from '../../sql/postgres.ts'
import type { ResolvedDatabase } from '../config.ts'
import type { Change, Rows, StatementListener } from '../session.ts'
import type { Driver, DriverSession } from './driver.ts'
import { PreparedStatement, StatementRun } from './postgres-statement.ts'

/** Most statements that a connection keeps; further ones are prepared for one use. */
const mostPrepared = 1000

/** Statements of one word or so: sent as they are. */
const isControl = (text: string) => /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(text)

/** A session on a pg connection. */
export class PostgresSession implements DriverSession {
  readonly connection: Client
  readonly #statements = new Map<string, PreparedStatement>()
  readonly inTransaction = true
  listener: StatementListener = null

  constructor(connection: Client) {
    this.connection = connection
  }

  all(text: string, values: readonly Bound[]): Promise<Rows> {
    return this.#run(text, values, rows => rows)
  }

  run(text: string, values: readonly Bound[]): Promise<Change> {
    if (isControl(text)) return this.#control(text)
    return this.#run(text, values, (rows, changes) => ({ changes, id: Number(rows[0]?.[0] ?? 0) }))
  }

  #run<T>(text: string, values: readonly Bound[], result: (rows: Rows, changes: number) => T): Promise<T> {
    if (this.listener !== null) this.listener(text)
    return new Promise((resolve, reject) => {
      const run = new StatementRun(this.#statementOf(text), values, (error, rows, changes) => {
        if (error === null) resolve(result(rows, changes))
        else reject(error as Error)
      })
      this.connection.query(run)
    })
  }

  async #control(text: string): Promise<Change> {
    if (this.listener !== null) this.listener(text)
    await this.connection.query(text)
    return { changes: 0, id: 0 }
  }

  #statementOf(text: string): PreparedStatement {
    const known = this.#statements.get(text)
    if (known !== undefined) return known
    if (this.#statements.size >= mostPrepared) return new PreparedStatement(text, '')
    const made = new PreparedStatement(text, `plinth_${this.#statements.size}`)
    this.#statements.set(text, made)
    return made
  }
}

/** What every connection is told first: dates in one form, whatever the server's configuration. */
const settings = `SET TIME ZONE 'UTC'; SET DateStyle = 'ISO, YMD'; SET standard_conforming_strings = on; SET extra_float_digits = 1`

type ServerDatabase = Exclude<ResolvedDatabase, { client: 'sqlite' }>

/** The driver of a PostgreSQL server. */
export function createPostgresDriver(config: ServerDatabase): Driver {
  const { schema, ...connection } = config.connection
  return {
    dialect: postgres,
    async meet(session) {
      await session.all('SELECT 1', [])
      return postgres
    },
    knex: {
      client: 'pg',
      connection: connection as never,
      ...(schema === undefined ? {} : { searchPath: [schema as string] }),
      pool: {
        ...config.pool,
        afterCreate: (client: Client, done: (error: Error | null, client: unknown) => void) => {
          client.query(settings, error => done(error as Error | null, client))
        },
      },
    },
    hasOneWriter: false,
    begin: serializable => [serializable ? 'BEGIN ISOLATION LEVEL SERIALIZABLE' : 'BEGIN'],
    open: raw => new PostgresSession(raw as Client),
    openReader: () => null,
    version: () => null,
    async fingerprint(session, table, id, locks) {
      const text = `SELECT t.xmin FROM ${postgres.quote(table)} t WHERE t.${postgres.quote('id')} = $1`
      return String((await session.all(locks ? `${text} FOR UPDATE` : text, [id]))[0]?.[0])
    },
    close: () => {},
  }
}
