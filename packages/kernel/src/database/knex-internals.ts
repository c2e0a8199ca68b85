// All that relies on knex's inside, and on that of its pool (tarn): what is not in their documentation and may change with a
// minor version. Tested with knex 3.3 (test/knex-internals.test.ts says so where another one is installed).

import createKnex, { type Knex } from 'knex'

/** A connection beside the pool. pg's connections and the streams of mysql2's can be told not to keep the process alive. */
export interface RawConnection {
  on(event: string, listener: () => void): unknown
  readonly unref?: () => void
  readonly stream?: { readonly unref?: () => void }
}

/** What of knex's client is used. */
export interface Client {
  readonly pool: {
    readonly max: number
    on(event: 'acquireRequest', listener: () => void): unknown
    numPendingAcquires(): number
  }
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<void>
  validateConnection(connection: object): boolean
  acquireRawConnection(): Promise<RawConnection>
  destroyRawConnection(connection: RawConnection): Promise<unknown>
}

/** A connection that cannot be made or ends is an error, told by whoever asked: knex tells each of them besides. */
const log = {
  warn: (message: unknown) => {
    if (!/^(Acquire connection|Connection) error/i.test(String(message))) console.warn(message)
  },
}

/** knex with its pool. */
export function openKnex(config: Knex.Config, acquireTimeout: number): Knex {
  return createKnex({ ...config, acquireConnectionTimeout: acquireTimeout, log })
}

/** knex's client: it takes connections from the pool and makes others. */
export function clientOf(knex: Knex): Client {
  return knex.client as Client
}

/** Was there no connection within the time? */
export function isTimeout(error: unknown): boolean {
  return (error as Error).name === 'KnexTimeoutError'
}

/** Marks a connection so that knex's pool throws it away. */
export function discard(connection: object, why: unknown): void {
  ;(connection as { __knex__disposed?: unknown }).__knex__disposed = why
}

/** Was it marked, by us or by knex, who hears when a connection ends? */
export function isDiscarded(connection: object): boolean {
  return (connection as { __knex__disposed?: unknown }).__knex__disposed !== undefined
}

/** How a copy of knex runs its queries on one connection. */
export interface OneConnection {
  /** The connection, when nothing else is under way on it. */
  readonly take: () => Promise<object>
  /** Stands around each query. */
  readonly around: <T>(query: () => Promise<T>) => Promise<T>
}

/** A copy of knex that knows one connection, in a transaction that somebody else has begun: its own ones are savepoints. */
export function knexOn(knex: Knex, { take, around }: OneConnection): Knex {
  const copy = knex.withUserParams({})
  const { client } = copy
  client.transacting = true
  client.acquireConnection = take
  client.releaseConnection = async () => {}
  const query = client.query.bind(client)
  client.query = (connection: unknown, asked: unknown) => around(() => query(connection, asked))
  return copy
}

/** How the driver reads values by their types; null where it is not asked for each. */
export function typeParserOf(knex: Knex): ((oid: number, format?: string) => unknown) | null {
  const { types } = knex.client.driver as { types?: { getTypeParser?: (oid: number, format?: string) => unknown } }
  return types?.getTypeParser ?? null
}
