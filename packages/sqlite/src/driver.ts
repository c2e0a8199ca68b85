// The driver of SQLite, with better-sqlite3: one connection writes, others read.

import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Driver, type Requirement, requireVersion } from '@plinth/kernel/database'
import BetterSqlite3 from 'better-sqlite3'
import { openConnection, tuneConnection } from './connection.ts'
import { sqliteDdl } from './ddl.ts'
import { sqlite } from './dialect.ts'
import { sqliteErrors } from './errors.ts'
import { oneWriter } from './one-writer/index.ts'
import { SqliteReader } from './reader.ts'
import type { ReaderSettings } from './reader-settings.ts'
import { SqliteSession } from './session.ts'

/** RETURNING and DROP COLUMN. better-sqlite3 contains a later version, but can be built with another SQLite. */
const required: Requirement = { product: 'SQLite', least: [3, 35] }

/** The driver of a SQLite file. */
export function createSqliteDriver(config: ReaderSettings): Driver {
  const { filename, statementTimeout } = config
  if (filename !== ':memory:') makeFolder(dirname(filename))
  return {
    dialect: sqlite,
    ddl: sqliteDdl,
    errors: sqliteErrors,
    async connect(session) {
      const [[version] = []] = await session.all('SELECT sqlite_version()', [])
      requireVersion(String(version), required)
      return sqlite
    },
    module: BetterSqlite3,
    knex: {
      client: 'better-sqlite3',
      connection: { filename },
      useNullAsDefault: true,
      pool: {
        min: 1,
        max: 1,
        afterCreate: (connection: BetterSqlite3.Database, done: (error: Error | null, connection: unknown) => void) => {
          tuneConnection(connection, config).then(
            () => done(null, connection),
            error => done(error, connection),
          )
        },
      },
    },
    snapshot: ['BEGIN'],
    readOnlyStatement: null,
    open: connection => new SqliteSession(connection as BetterSqlite3.Database, statementTimeout),
    connections: oneWriter({
      // A second connection would open a second, empty database.
      openReader: async () => (filename === ':memory:' ? null : new SqliteReader(await openConnection(config), config)),
    }),
    // Any commit of another connection counts as a change: to compare entries would cost as much as reading them.
    rowVersion: async session => String((await session.all('PRAGMA data_version', []))[0]![0]),
    close: () => {},
  }
}

/**
 * Makes a folder and those above it. Node's option `recursive` does not end where the system answers ENOENT although the
 * folder above exists, as below /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  // The drive of a path of Windows may be missing.
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
