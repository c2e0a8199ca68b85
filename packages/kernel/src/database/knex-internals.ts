// All code that relies on the internals of knex and of its pool (tarn), which are not documented and may change with a
// minor version. Tested with knex 3.3 (test/database/knex-internals.test.ts reports another installed version).

import createKnex, { type Knex } from 'knex'

/**
 * A connection outside the pool. The connections of pg and the streams of mysql2 have unref(), which lets the process
 * end.
 */
export interface RawConnection {
  on(event: string, listener: () => void): unknown
  readonly unref?: () => void
  readonly stream?: { readonly unref?: () => void }
}

/** The part of knex's client that is used. */
export interface Client {
  readonly pool: {
    readonly max: number
    on(event: 'acquireRequest', listener: () => void): unknown
    numPendingAcquires(): number
    numUsed(): number
    numFree(): number
  }
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<void>
  validateConnection(connection: object): boolean
  acquireRawConnection(): Promise<RawConnection>
  destroyRawConnection(connection: RawConnection): Promise<unknown>
}

/** Drops knex's warnings about connections that fail or end: the caller receives the same error and reports it. */
const log = {
  warn: (message: unknown) => {
    if (!/^(Acquire connection|Connection) error/i.test(String(message))) console.warn(message)
  },
}

/** knex with its pool. `dateText` converts a Date to the text that is bound for it. */
export function openKnex(config: Knex.Config, acquireTimeout: number, dateText?: (date: Date) => string): Knex {
  const knex = createKnex({ ...config, acquireConnectionTimeout: acquireTimeout, log })
  if (dateText !== undefined) convertDates(knex, dateText)
  return knex
}

/** knex makes the clients of transactions and of copies from the class of its client. */
function convertDates(knex: Knex, dateText: (date: Date) => string): void {
  const Base = knex.client.constructor as new () => { prepBindings(bindings: unknown): unknown }
  const convert = (value: unknown) =>
    value instanceof Date && !Number.isNaN(value.getTime()) ? dateText(value) : value
  const Converting = class extends Base {
    override prepBindings(bindings: unknown): unknown {
      return super.prepBindings(Array.isArray(bindings) ? bindings.map(convert) : bindings)
    }
  }
  Object.setPrototypeOf(knex.client, Converting.prototype)
}

/** knex's client, which takes connections from the pool and opens others. */
export function clientOf(knex: Knex): Client {
  return knex.client as Client
}

/** Whether no connection became free in time. */
export function isTimeout(error: unknown): boolean {
  return (error as Error).name === 'KnexTimeoutError'
}

/** Marks a connection so that knex's pool closes it. */
export function discard(connection: object, why: unknown): void {
  ;(connection as { __knex__disposed?: unknown }).__knex__disposed = why
}

/** Whether a connection was marked, by discard() or by knex when the connection ended. */
export function isDiscarded(connection: object): boolean {
  return (connection as { __knex__disposed?: unknown }).__knex__disposed !== undefined
}

/** Gives a copy of knex one connection for its queries. */
export interface OneConnection {
  /** Returns the connection once no other statement runs on it. */
  readonly take: () => Promise<object>
  /** Wraps each query; `text` is its SQL. */
  readonly around: <T>(query: () => Promise<T>, text: string) => Promise<T>
}

/**
 * A copy of knex that uses one connection, in a transaction that has begun already: its own transactions are
 * savepoints.
 */
export function knexOn(knex: Knex, { take, around }: OneConnection): Knex {
  const copy = knex.withUserParams({})
  const { client } = copy
  client.transacting = true
  client.acquireConnection = take
  client.releaseConnection = async () => {}
  const query = client.query.bind(client)
  client.query = (connection: unknown, asked: string | { readonly sql: string }) =>
    around(() => query(connection, asked), typeof asked === 'string' ? asked : asked.sql)
  return copy
}

/** The driver's parser of values by type; null if the driver has no parser per type. */
export function typeParserOf(knex: Knex): ((oid: number, format?: string) => unknown) | null {
  const { types } = knex.client.driver as { types?: { getTypeParser?: (oid: number, format?: string) => unknown } }
  return types?.getTypeParser ?? null
}
