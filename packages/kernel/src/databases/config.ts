// Reads the `config/database` file in v4's shape (B-10.42): its keys, their defaults and meaning. Depends on no driver.

import { isAbsolute, resolve } from 'node:path'
import { StartError } from '../errors.ts'
import { knownWords } from '../registration/registrar.ts'
import { checkDatabaseKeys, isNestedConfig } from './config-keys.ts'
import { checkDatabaseValues } from './config-values.ts'
import { serverVariables, variable } from './environment.ts'
import { isSet, storedZone } from './stored-zone.ts'
import type { Zone } from './zone.ts'

/** Connection settings; v4's `{ connection: { client, connection, pool } }` is accepted too. */
export interface DatabaseConfig {
  /** DATABASE_CLIENT by default, otherwise `sqlite`. */
  readonly client?: 'sqlite' | 'better-sqlite3' | 'mysql' | 'mysql2' | 'postgres' | 'pg'
  /** SQLite: `filename`. Servers: `host`, `port`, `database`, `user`, `password`, `ssl`; PostgreSQL also `schema`. */
  readonly connection?: Readonly<Record<string, unknown>>
  /** Connections to a server; 0 to 10. */
  readonly pool?: { readonly min?: number; readonly max?: number }
  /** Milliseconds to wait for a connection before answering 503; 5000. */
  readonly acquireTimeout?: number
  /** v4's name for the same. */
  readonly acquireConnectionTimeout?: number
  /**
   * Milliseconds that a statement may take, or a read on SQLite, before it is answered with 503; 15,000. 0: no limit,
   * or on servers the limit of the server's configuration.
   */
  readonly statementTimeout?: number
  /**
   * Servers: milliseconds to wait for a row or table that another transaction has locked; 3000. 0: the server's
   * setting.
   */
  readonly lockTimeout?: number
  /**
   * Servers (not MySQL): milliseconds that a transaction may be idle between two statements; 30,000. 0: the server's
   * setting.
   */
  readonly idleTransactionTimeout?: number
  /** SQLite. With `full`, the last commits survive a power cut, at a tenth of the writes per second. */
  readonly synchronous?: 'normal' | 'full'
  /**
   * Servers: caches totals of lists until this process writes. Only for an application whose process alone writes to
   * its database; false.
   */
  readonly rememberTotals?: boolean
  /**
   * Servers: in which time zone datetimes are stored, as an IANA name, an offset, or `local`; UTC. v4 stored them in the
   * zone of its process. `connection.timezone`, which v4 knew as well, wins.
   */
  readonly storedTimeZone?: string
  /** What a start may do to the tables (migrate/mode.ts). */
  readonly migrate?: 'add' | 'check' | 'apply' | 'none'
}

interface Pool {
  readonly min: number
  readonly max: number
}

/** A configuration with all defaults applied. */
export type ResolvedDatabase =
  | {
      readonly client: 'sqlite'
      readonly filename: string
      readonly acquireTimeout: number
      /** Infinity if there is no limit. */
      readonly statementTimeout: number
      readonly synchronous: 'normal' | 'full'
    }
  | {
      readonly client: 'mysql' | 'postgres'
      readonly connection: Readonly<Record<string, unknown>>
      readonly pool: Pool
      readonly acquireTimeout: number
      readonly statementTimeout: number
      readonly lockTimeout: number
      readonly idleTransactionTimeout: number
      readonly rememberTotals: boolean
      /** The zone in which datetimes are stored; null if it is UTC. */
      readonly zone: Zone | null
      /** Whether a setting says so. */
      readonly namesZone: boolean
    }

const clients: Readonly<Record<string, ResolvedDatabase['client']>> = {
  sqlite: 'sqlite',
  'better-sqlite3': 'sqlite',
  mysql: 'mysql',
  mysql2: 'mysql',
  postgres: 'postgres',
  postgresql: 'postgres',
  pg: 'postgres',
}

/**
 * Applies defaults: SQLite in `.data/plinth.db` below the application. Throws StartError for unknown
 * clients and keys, and for values that a key cannot have.
 */
export function resolveDatabase(config: unknown, dir: string): ResolvedDatabase {
  const outer = (config ?? {}) as { connection?: DatabaseConfig } & DatabaseConfig
  if (typeof outer !== 'object' || Array.isArray(outer))
    throw new StartError('PLINTH_CONFIG_INVALID', 'config/database: must be an object')
  checkDatabaseKeys(outer as Readonly<Record<string, unknown>>)
  const given: DatabaseConfig = isNestedConfig(outer as Readonly<Record<string, unknown>>)
    ? { ...outer, connection: undefined, ...outer.connection }
    : outer
  checkDatabaseValues(given)
  const named = String(given.client ?? variable('DATABASE_CLIENT') ?? 'sqlite')
  const client = clients[named]
  if (client === undefined) {
    const hint = knownWords(named, ['sqlite', 'mysql', 'postgres'])
    throw new StartError('PLINTH_CONFIG_INVALID', `config/database: client "${named}" is not known${hint}`)
  }
  const acquireTimeout = given.acquireTimeout ?? given.acquireConnectionTimeout ?? 5000
  if (client === 'sqlite') {
    const filename = sqliteFile(given.connection?.filename, dir)
    const statementTimeout = milliseconds(given, 'statementTimeout', 15_000) || Number.POSITIVE_INFINITY
    return { client, filename, acquireTimeout, statementTimeout, synchronous: given.synchronous ?? 'normal' }
  }
  const { timezone, ...own } = defined(given.connection ?? {})
  const zones = { timezone, storedTimeZone: given.storedTimeZone }
  const pool = { min: given.pool?.min ?? 0, max: given.pool?.max ?? 10 }
  const connection = { ...serverVariables(client), ...own }
  return {
    client,
    connection,
    pool,
    acquireTimeout,
    statementTimeout: milliseconds(given, 'statementTimeout', 15_000),
    lockTimeout: milliseconds(given, 'lockTimeout', 3000),
    idleTransactionTimeout: milliseconds(given, 'idleTransactionTimeout', 30_000),
    rememberTotals: given.rememberTotals ?? false,
    zone: storedZone(zones),
    namesZone: Object.values(zones).some(isSet),
  }
}

/** Checks a time. It may become part of a statement, so it must be a number. */
function milliseconds(
  given: DatabaseConfig,
  name: 'statementTimeout' | 'lockTimeout' | 'idleTransactionTimeout',
  otherwise: number,
): number {
  const value: unknown = given[name] ?? otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2_147_483_647) return value
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `config/database: ${name} must be a whole number of milliseconds, or 0 for no limit other than the server's own`,
  )
}

function sqliteFile(given: unknown, dir: string): string {
  const named = typeof given === 'string' ? given : (variable('DATABASE_FILENAME') ?? '.data/plinth.db')
  return named === ':memory:' || isAbsolute(named) ? named : resolve(dir, named)
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** The file, or the name of the database on its server. */
export function nameOf(config: ResolvedDatabase): string {
  return config.client === 'sqlite' ? config.filename : String(config.connection.database)
}
