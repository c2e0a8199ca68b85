// The keys of `config/database`. A misspelled key could open another database than the intended one, so it is refused.

import { StartError } from '../errors.ts'
import { typoOf } from '../model/typo.ts'
import { knownWords } from '../registration/registrar.ts'
import { variable } from './environment.ts'

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
  'migrate',
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

const ofSqlite = ['filename']
const ofServers = [
  'host',
  'port',
  'database',
  'user',
  'password',
  'ssl',
  'schema',
  'connectionString',
  'uri',
  'timezone',
]

/** Options of drivers that look like misspellings of other options. */
const ofDrivers = ['password1', 'password2', 'password3']

/** Options of better-sqlite3 and knex that v4 passes on, among them those of knex that are written a level too deep. */
const ofSqliteDrivers = ['fileMustExist', 'flags', 'mode', 'nativeBinding', 'readonly', 'timeout', 'verbose', ...ofKnex]

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

/** Throws StartError for unknown keys, with their path in the file and the most similar known name. */
export function checkDatabaseKeys(config: Keys): void {
  const isNested = isNestedConfig(config)
  checkLevel(config, isNested ? [] : ofConnection(), '')
  const inner = isNested ? (config.connection as Keys) : config
  const at = isNested ? 'connection.' : ''
  if (isNested) checkLevel(inner, ofConnection(), at)
  const { connection, pool, client = variable('DATABASE_CLIENT') ?? 'sqlite' } = inner
  if (connection !== undefined)
    checkConnection(recordAt(connection, `${at}connection`), /sqlite/.test(String(client)), `${at}connection.`)
  if (pool !== undefined) checkKeys(recordAt(pool, `${at}pool`), ['min', 'max'], ofPool, `${at}pool.`)
}

/** Whether the configuration has v4's shape, in which `connection` holds the client and its settings. */
export function isNestedConfig({ connection }: Keys): boolean {
  if (!isRecord(connection)) return false
  return typeof connection.client === 'string' || isRecord(connection.connection)
}

const ofConnection = () => [...ofSqlite, ...ofServers]

function checkLevel(given: Keys, inside: readonly string[], at: string): void {
  const stray = Object.keys(given).find(key => inside.includes(key))
  if (stray !== undefined) throw refusal(`${at}${stray}`, `is not known here; it belongs below ${at}connection`)
  checkKeys(given, own, ofKnex, at)
}

function checkKeys(given: Keys, known: readonly string[], silent: readonly string[], at: string): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key) || silent.includes(key)) continue
    throw refusal(`${at}${key}`, `is not known${knownWords(key, known)}`)
  }
}

/** Drivers of servers have many options of their own, so only keys that look misspelled are refused there. */
function checkConnection(given: Keys, isSqlite: boolean, at: string): void {
  const known = isSqlite ? ofSqlite : ofServers
  for (const key of Object.keys(given)) {
    if ([...known, ...ofServers].includes(key) || (isSqlite && ofSqliteDrivers.includes(key))) continue
    const synonym = known.find(one => one === synonyms[key])
    const meant = synonym ?? typoOf(key, [...known, ...ofDrivers])
    if (meant !== null) throw refusal(`${at}${key}`, `is not known, did you mean "${meant}"?`)
    if (isSqlite) throw refusal(`${at}${key}`, 'is not known; the known name is filename')
  }
}

function recordAt(value: unknown, path: string): Keys {
  if (isRecord(value)) return value
  throw refusal(path, 'must be an object')
}

function refusal(path: string, fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/database: ${path} ${fault}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
