// All code that relies on the internals of knex and of its pool (tarn), which are not documented and may change with a
// minor version. Tested with knex 3.3 (test/connection/knex-internals.test.ts reports another installed version).

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import createKnex, { type Knex } from 'knex'
import { UnavailableError } from '../errors.ts'
import { awayError } from './state.ts'

/** A connection outside the pool. */
export interface RawConnection {
  on(event: string, listener: () => void): unknown
}

/** The part of knex's client that is used. */
export interface Client {
  readonly pool: {
    readonly max: number
    numUsed(): number
    numFree(): number
  }
  /** Takes a connection from knex's own pool. */
  takeConnection(): Promise<object>
  /** Returns a connection to knex's own pool. */
  returnConnection(connection: object): Promise<void>
  validateConnection(connection: object): boolean
  acquireRawConnection(): Promise<RawConnection>
  destroyRawConnection(connection: RawConnection): Promise<unknown>
}

/** The connections that knex uses instead of its own pool. */
export interface KnexConnections {
  acquire(): Promise<object>
  /** May be called again for a connection that was released. */
  release(connection: object): void
}

/** Drops knex's warnings about connections that fail or end: the caller receives the same error and reports it. */
const log = {
  warn: (message: unknown) => {
    if (!/^(Acquire connection|Connection) error/i.test(String(message))) console.warn(message)
  },
}

/** The settings of openKnex(). */
export interface KnexSettings {
  readonly acquireTimeout: number
  /** The module of the driver. */
  readonly module: object
  /** Converts a Date to the text that is bound for it. */
  readonly dateText?: ((date: Date) => string) | undefined
  /** Returns the socket of a connection. Missing if connections have none. */
  readonly socketOf?: ((connection: object) => Socket) | undefined
  readonly connections: KnexConnections
}

/** knex with its pool. */
export function openKnex(config: Knex.Config, settings: KnexSettings): Knex {
  const client = clientWith(settings.module, String(config.client))
  const knex = createKnex({ ...config, client, acquireConnectionTimeout: settings.acquireTimeout, log })
  extendClient(knex, settings)
  return knex
}

/** The class of knex's client for a dialect, with this driver instead of the one that knex would load. */
function clientWith(module: object, dialect: string): typeof Knex.Client {
  // Without a connection, knex makes a client and loads no driver. The option is asked for by SQLite's dialect.
  const Base = createKnex({ client: dialect, useNullAsDefault: true }).client.constructor as typeof Knex.Client
  return class extends Base {
    _driver(): object {
      return module
    }
  }
}

/** The methods of knex's client that are replaced. */
interface ReplacedMethods {
  prepBindings(bindings: unknown): unknown
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<void>
  query(connection: object, statement: string | { readonly sql: string }): Promise<unknown>
  stream(connection: object, statement: { readonly sql: string }, stream: Duplex, options: unknown): Promise<unknown>
  runner(builder: unknown): Runner
  destroyRawConnection(connection: object): Promise<unknown>
}

/** Milliseconds that a server has to answer that a connection ends. */
const closeTimeout = 1000

/** Replaces methods in the class of the client, from which knex makes the clients of transactions and of copies. */
function extendClient(knex: Knex, { dateText, socketOf, connections }: KnexSettings): void {
  const Base = knex.client.constructor as new () => ReplacedMethods
  const convert = (value: unknown) =>
    dateText !== undefined && value instanceof Date && !Number.isNaN(value.getTime()) ? dateText(value) : value
  const Extended = class extends Base {
    override prepBindings(bindings: unknown): unknown {
      return super.prepBindings(dateText !== undefined && Array.isArray(bindings) ? bindings.map(convert) : bindings)
    }
    override acquireConnection(): Promise<object> {
      return connections.acquire()
    }
    override async releaseConnection(connection: object): Promise<void> {
      connections.release(connection)
    }
    takeConnection(): Promise<object> {
      return super.acquireConnection()
    }
    returnConnection(connection: object): Promise<void> {
      return super.releaseConnection(connection)
    }
    override query(connection: object, statement: string | { readonly sql: string }): Promise<unknown> {
      const query = () => super.query(connection, statement)
      const text = typeof statement === 'string' ? statement : statement.sql
      return watches.get(connection)?.query(query, text) ?? query()
    }
    override stream(connection: object, statement: { readonly sql: string }, stream: Duplex, options: unknown) {
      const begin = () => super.stream(connection, statement, stream, options)
      return watches.get(connection)?.stream(begin, stream, statement.sql) ?? begin()
    }
    override runner(builder: unknown): Runner {
      return withClearErrors(super.runner(builder))
    }
    /** Closes a connection. A server that does not answer keeps neither the caller waiting nor the process running. */
    override async destroyRawConnection(connection: object): Promise<unknown> {
      const socket = socketOf?.(connection)
      const timer = setTimeout(() => socket?.destroy(), closeTimeout)
      try {
        return await super.destroyRawConnection(connection)
      } finally {
        clearTimeout(timer)
        socket?.unref()
      }
    }
  }
  Object.setPrototypeOf(knex.client, Extended.prototype)
}

/** The part of a knex runner, which runs one query, that is used. */
interface Runner {
  run(): Promise<unknown>
  readonly connection?: object
}

/** Replaces errors that knex itself throws where the database is the reason. */
function withClearErrors(runner: Runner): Runner {
  const run = runner.run.bind(runner)
  runner.run = async () => {
    try {
      return await run()
    } catch (error) {
      throw refusalOf(error, runner) ?? error
    }
  }
  return runner
}

function refusalOf(error: unknown, { connection }: Runner): UnavailableError | null {
  // The `timeout` of the query itself.
  if (isTimeout(error)) return new UnavailableError('The database took too long for this statement', { cause: error })
  // knex begins work in a transaction although BEGIN has failed.
  const isEnded = /^Transaction query already complete/.test(String((error as Error | null)?.message))
  if (!isEnded || connection === undefined || !isDiscarded(connection)) return null
  return awayError('The connection to the database was lost', error)
}

/** Runs the queries of knex on one connection. */
export interface KnexWatch {
  query<T>(query: () => Promise<T>, text: string): Promise<T>
  /** `stream` receives the rows of the query that `begin` sends. */
  stream<T>(begin: () => Promise<T>, stream: Duplex, text: string): Promise<T>
}

const watches = new WeakMap<object, KnexWatch>()

/**
 * Lets `watch` run the queries on a connection, whichever copy or transaction of knex they are made with; null: knex
 * runs them.
 */
export function watchQueries(connection: object, watch: KnexWatch | null): void {
  if (watch === null) watches.delete(connection)
  else watches.set(connection, watch)
}

/** knex's client, which takes connections from its pool and opens others. */
export function clientOf(knex: Knex): Client {
  return knex.client as Client
}

/** Returns whether the error says that no connection became free in time. */
export function isTimeout(error: unknown): boolean {
  return (error as Error).name === 'KnexTimeoutError'
}

/** Marks a connection so that knex's pool closes it. */
export function discard(connection: object, why: unknown): void {
  ;(connection as { __knex__disposed?: unknown }).__knex__disposed = why
}

/** Returns whether a connection was marked, by discard() or by knex when the connection ended. */
export function isDiscarded(connection: object): boolean {
  return (connection as { __knex__disposed?: unknown }).__knex__disposed !== undefined
}

/**
 * A copy of knex that uses one connection, in a transaction that has begun already: its own transactions are
 * savepoints. `take` returns the connection once no other statement runs on it.
 */
export function knexOn(knex: Knex, take: () => Promise<object>): Knex {
  const copy = knex.withUserParams({})
  const { client } = copy
  client.transacting = true
  client.acquireConnection = take
  client.releaseConnection = async () => {}
  return copy
}

/** The driver's parser of values by type; null if the driver has no parser per type. */
export function typeParserOf(knex: Knex): ((oid: number, format?: string) => unknown) | null {
  const { types } = knex.client.driver as { types?: { getTypeParser?: (oid: number, format?: string) => unknown } }
  return types?.getTypeParser ?? null
}
