// Reads the `config/database` file in v4's shape (B-10.42): its keys, their defaults and meaning. Knows no database.

import { StartError } from '../errors.ts'
import type { ConfiguredIndexes } from '../model/online-indexes.ts'
import { isRecord } from '../record.ts'
import { configuredIndexesOf } from './config-indexes.ts'
import { checkDatabaseKeys, isNestedConfig } from './config-keys.ts'
import { checkDatabaseValues } from './config-values.ts'
import type { DatabaseConfig } from './database-config.ts'
import type { DatabaseDefinition, DriverSettings } from './definition.ts'
import { variable } from './environment.ts'
import { defaultClient, findDatabase } from './find.ts'

/** A database that can be opened, and the settings with which it is. */
export interface OpenableDatabase {
  readonly definition: DatabaseDefinition
  readonly settings: DriverSettings
}

/** A database that config/database names. */
export interface ResolvedDatabase extends OpenableDatabase {
  /** The indexes that belong to the model. */
  readonly indexes: ConfiguredIndexes
}

/**
 * Finds the database and applies defaults: SQLite in `.data/plinth.db` below the application. Throws StartError for
 * unknown clients and keys, for values that a key cannot have, and if the package of the client is not installed.
 */
export async function resolveDatabase(config: unknown, dir: string): Promise<ResolvedDatabase> {
  const outer = (config ?? {}) as { connection?: DatabaseConfig } & DatabaseConfig
  if (typeof outer !== 'object' || Array.isArray(outer))
    throw new StartError('PLINTH_CONFIG_INVALID', 'config/database: must be an object')
  const keys = outer as Readonly<Record<string, unknown>>
  const own: DatabaseConfig = isNestedConfig(keys) ? { ...outer, connection: undefined, ...outer.connection } : outer
  const definition = await definitionOf(own.client, dir)
  checkDatabaseKeys(keys, definition)
  checkDatabaseValues(own, definition.connection)
  return { definition, settings: settingsOf(own, definition, dir), indexes: indexesIn(config) }
}

/** The indexes that config/database names. Throws StartError for another form. */
export function indexesIn(config: unknown): ConfiguredIndexes {
  return configuredIndexesOf(settingIn(config, 'indexes'))
}

/** Returns the setting of migrations at a start in config/database, unchecked. */
export function migrateIn(config: unknown): unknown {
  return settingIn(config, 'migrate')
}

/** A setting of config/database. In v4's shape it may stand beside `pool`, like the others. */
function settingIn<Name extends keyof DatabaseConfig>(config: unknown, name: Name): DatabaseConfig[Name] | undefined {
  const outer = (isRecord(config) ? config : {}) as { readonly connection?: DatabaseConfig } & DatabaseConfig
  const inner = isNestedConfig(outer as Readonly<Record<string, unknown>>) ? outer.connection : undefined
  return inner?.[name] ?? outer[name]
}

async function definitionOf(client: DatabaseConfig['client'], dir: string): Promise<DatabaseDefinition> {
  if (typeof client === 'object' && client?.database !== undefined) return client.database
  return findDatabase(String(client ?? variable('DATABASE_CLIENT') ?? defaultClient), dir)
}

function settingsOf(config: DatabaseConfig, definition: DatabaseDefinition, dir: string): DriverSettings {
  return {
    dir,
    connection: { ...definition.variables?.(), ...defined(config.connection ?? {}) },
    pool: { min: config.pool?.min ?? 0, max: config.pool?.max ?? 10 },
    acquireTimeout: config.acquireTimeout ?? config.acquireConnectionTimeout ?? 5000,
    statementTimeout: milliseconds(config, 'statementTimeout', 15_000),
    lockTimeout: milliseconds(config, 'lockTimeout', 3000),
    idleTransactionTimeout: milliseconds(config, 'idleTransactionTimeout', 30_000),
    synchronous: config.synchronous ?? 'normal',
    rememberTotals: config.rememberTotals ?? false,
    consistentReads: config.consistentReads,
    preparedStatements: config.preparedStatements ?? true,
    storedTimeZone: config.storedTimeZone,
  }
}

/** Checks a time. It may become part of a statement, so it must be a number. */
function milliseconds(
  config: DatabaseConfig,
  name: 'statementTimeout' | 'lockTimeout' | 'idleTransactionTimeout',
  otherwise: number,
): number {
  const value: unknown = config[name] ?? otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2_147_483_647) return value
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `config/database: ${name} must be a whole number of milliseconds, or 0 for no limit other than the server's own`,
  )
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
