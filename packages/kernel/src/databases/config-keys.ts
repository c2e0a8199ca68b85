// The keys of `config/database`. A misspelled key could open another database than the intended one, so it is refused.

import { StartError } from '../errors.ts'
import { typoOf } from '../model/typo.ts'
import { isRecord } from '../record.ts'
import { knownWords } from '../registration/registrar.ts'
import type { DatabaseDefinition } from './definition.ts'

type Keys = Readonly<Record<string, unknown>>

/** The keys that this kernel reads (DatabaseConfig). */
const own = [
  'client',
  'connection',
  'pool',
  'acquireTimeout',
  'acquireConnectionTimeout',
  'statementTimeout',
  'lockTimeout',
  'idleTransactionTimeout',
  'synchronous',
  'rememberTotals',
  'consistentReads',
  'preparedStatements',
  'migrate',
  'indexes',
  'storedTimeZone',
]

/** Keys that v4's files may contain as well, most of them for knex; accepted without effect. */
const ofKnex = [
  'asyncStackTraces',
  'compileSqlOnError',
  'debug',
  'dialect',
  'fetchAsString',
  'log',
  'migrations',
  'options',
  'postProcessResponse',
  'searchPath',
  'seeds',
  'settings',
  'useNullAsDefault',
  'version',
  'wrapIdentifier',
]

const ofPool = [
  'acquireTimeoutMillis',
  'afterCreate',
  'createRetryIntervalMillis',
  'createTimeoutMillis',
  'destroyTimeoutMillis',
  'idleTimeoutMillis',
  'log',
  'propagateCreateError',
  'reapIntervalMillis',
]

/** Names used by other products, none of which is similar enough to the right one. */
const synonyms: Readonly<Record<string, string>> = {
  username: 'user',
  hostname: 'host',
  pass: 'password',
  db: 'database',
  dbname: 'database',
  file: 'filename',
  path: 'filename',
  storage: 'filename',
}

/**
 * Throws StartError for unknown keys, with their path in the file and the most similar known name. The definition says
 * what `connection` may contain.
 */
export function checkDatabaseKeys(config: Keys, definition: DatabaseDefinition): void {
  const inside = namesInside(definition)
  const isNested = isNestedConfig(config)
  checkLevel(config, isNested ? [] : inside, '')
  const level = isNested ? (config.connection as Keys) : config
  const at = isNested ? 'connection.' : ''
  if (isNested) checkLevel(level, inside, at)
  const { connection, pool } = level
  if (connection !== undefined) checkConnection(recordAt(connection, `${at}connection`), definition, `${at}connection.`)
  if (pool !== undefined) checkKeys(recordAt(pool, `${at}pool`), ['min', 'max'], ofPool, `${at}pool.`)
}

/** Returns whether the configuration has v4's shape, in which `connection` holds the client and its settings. */
export function isNestedConfig({ connection }: Keys): boolean {
  if (!isRecord(connection)) return false
  return typeof connection.client === 'string' || isRecord(connection.client) || isRecord(connection.connection)
}

/** The names that belong into `connection` and not beside it. */
function namesInside({ connection, otherNames = [] }: DatabaseDefinition): readonly string[] {
  const beside = [...own, ...ofKnex]
  return [...Object.keys(connection.properties), ...otherNames].filter(name => !beside.includes(name))
}

function checkLevel(settings: Keys, inside: readonly string[], at: string): void {
  const stray = Object.keys(settings).find(key => inside.includes(key))
  if (stray !== undefined) throw refusal(`${at}${stray}`, `is not known here; it belongs below ${at}connection`)
  checkKeys(settings, own, ofKnex, at)
}

function checkKeys(settings: Keys, names: readonly string[], otherNames: readonly string[], at: string): void {
  for (const key of Object.keys(settings)) {
    if (names.includes(key) || otherNames.includes(key)) continue
    throw refusal(`${at}${key}`, `is not known${knownWords(key, names)}`)
  }
}

/** Unless the definition refuses all others, only names that look misspelt are refused: drivers have many options. */
function checkConnection(settings: Keys, { connection, otherNames = [] }: DatabaseDefinition, at: string): void {
  const names = Object.keys(connection.properties)
  for (const key of Object.keys(settings)) {
    if (names.includes(key) || otherNames.includes(key)) continue
    const synonym = names.find(name => name === synonyms[key])
    const meant = synonym ?? typoOf(key, names)
    if (meant !== null) throw refusal(`${at}${key}`, `is not known, did you mean "${meant}"?`)
    if (connection.additionalProperties === false)
      throw refusal(
        `${at}${key}`,
        `is not known; the known ${names.length === 1 ? 'name is' : 'names are'} ${names.join(', ')}`,
      )
  }
}

function recordAt(value: unknown, path: string): Keys {
  if (isRecord(value)) return value
  throw refusal(path, 'must be an object')
}

function refusal(path: string, fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/database: ${path} ${fault}`)
}
