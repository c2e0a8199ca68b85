// The database package of SQLite: what `connection` may contain, which file it means, and how it is opened. The settings
// of other databases are accepted without effect, because files choose between databases by the environment.

import { isAbsolute, resolve } from 'node:path'
import { type DriverSettings, defineDatabase, variable } from '@plinth/kernel/database'
import { createSqliteDriver } from './driver.ts'
import { readFile } from './readonly.ts'

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

/** Options of better-sqlite3 and knex that v4 passes on, among them those of knex that are written a level too deep. */
const ofDrivers = [
  'fileMustExist',
  'flags',
  'mode',
  'nativeBinding',
  'readonly',
  'timeout',
  'verbose',
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

/** The path of the file, or `:memory:`. */
function fileOf({ connection, dir }: DriverSettings): string {
  const filename = String(connection.filename)
  return filename === ':memory:' || isAbsolute(filename) ? filename : resolve(dir, filename)
}

export default defineDatabase({
  name: 'sqlite',
  connection: {
    properties: { filename: { type: 'string', description: 'a path or :memory:' } },
    additionalProperties: false,
  },
  otherNames: [...ofServers, ...ofDrivers],
  drivers: ['better-sqlite3', 'sqlite3'],
  variables: () => ({ filename: variable('DATABASE_FILENAME') ?? '.data/plinth.db' }),
  databaseName: fileOf,
  place: fileOf,
  // Datetimes are stored as moments.
  storesLocalTimes: false,
  open(settings) {
    const { statementTimeout, synchronous, acquireTimeout, consistentReads = true } = settings
    return createSqliteDriver({
      filename: fileOf(settings),
      synchronous,
      acquireTimeout,
      statementTimeout: statementTimeout || Number.POSITIVE_INFINITY,
      consistentReads,
    })
  },
  openReadonly: (settings, work) => readFile(fileOf(settings), work),
})
