// PostgreSQL by pg: named statements, prepared once per connection; values come as the server writes them, as text, and
// the dialect's codecs read them.

import type { Client, QueryArrayResult } from 'pg'
import type { Bound } from '../../sql/dialect.ts'
import { postgres } from '../../sql/postgres.ts'
import type { ResolvedDatabase } from '../config.ts'
import type { Change, Rows, StatementListener } from '../session.ts'
import type { Driver, DriverSession } from './driver.ts'

/** Most statements that a connection keeps; further ones are prepared for one use. */
const mostPrepared = 1000

const int2 = 21
const int4 = 23
const float4 = 700
const float8 = 701
const bool = 16

/** Whole numbers that fit, floats and booleans are worth parsing; all else stays text. */
const types = {
  getTypeParser: (oid: number) => {
    if (oid === int4 || oid === int2 || oid === float8 || oid === float4) return Number
    return oid === bool ? (text: string) => text === 't' : (text: string) => text
  },
}

/** A session on a pg connection. */
export class PostgresSession implements DriverSession {
  readonly connection: Client
  readonly #names = new Map<string, string>()
  readonly inTransaction = true
  listener: StatementListener = null

  constructor(connection: Client) {
    this.connection = connection
  }

  async all(text: string, values: readonly Bound[]): Promise<Rows> {
    return (await this.#query(text, values)).rows
  }

  async run(text: string, values: readonly Bound[]): Promise<Change> {
    const { rowCount, rows } = await this.#query(text, values)
    return { changes: rowCount ?? 0, id: Number(rows[0]?.[0] ?? 0) }
  }

  #query(text: string, values: readonly Bound[]): Promise<QueryArrayResult<unknown[]>> {
    if (this.listener !== null) this.listener(text)
    const query = { text, values: values as unknown[], rowMode: 'array' as const, types }
    const name = this.#nameOf(text)
    return this.connection.query<unknown[]>((name === undefined ? query : { ...query, name }) as never)
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= mostPrepared) return known
    const name = `plinth_${this.#names.size}`
    this.#names.set(text, name)
    return name
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
