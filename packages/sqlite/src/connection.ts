// Opens and sets up connections to a SQLite file. No code here waits inside SQLite: if another process locks the file,
// it is retried until a deadline.

import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { StatementClock } from './clock.ts'
import { isBusy } from './errors.ts'
import { isDate, momentOf } from './moment.ts'

/** The settings of a connection. */
export interface ConnectionSettings {
  readonly filename: string
  readonly synchronous: 'normal' | 'full'
  /** Milliseconds that an opening connection waits for other processes. */
  readonly acquireTimeout: number
}

const clocks = new WeakMap<object, StatementClock>()

/** The clock of a connection that was set up here. */
export function clockOf(connection: BetterSqlite3.Database): StatementClock {
  return clocks.get(connection)!
}

/** Opens and sets up a new connection. */
export async function openConnection(settings: ConnectionSettings): Promise<BetterSqlite3.Database> {
  return whenFree(settings.acquireTimeout, () => {
    const connection = new BetterSqlite3(settings.filename)
    try {
      tune(connection, settings.synchronous)
      // The first read opens the write-ahead log by name. Later, the file and its log might have been moved.
      connection.prepare('SELECT count(*) FROM sqlite_schema').get()
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  })
}

/** Sets up a connection that knex opened. */
export async function tuneConnection(connection: BetterSqlite3.Database, settings: ConnectionSettings): Promise<void> {
  await whenFree(settings.acquireTimeout, () => tune(connection, settings.synchronous))
}

/**
 * Runs `work` again while others lock the file, for up to `waitTimeout` milliseconds. After that, throws SQLite's
 * error.
 */
async function whenFree<T>(waitTimeout: number, work: () => T): Promise<T> {
  const deadline = performance.now() + waitTimeout
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(5 + Math.random() * 20)
    }
  }
}

/**
 * Sets the pragmas. Readers do not wait for writers (WAL), and no statement waits inside SQLite, which would block the
 * process.
 */
function tune(connection: BetterSqlite3.Database, synchronous: string): void {
  connection.pragma('busy_timeout = 0')
  // The mode is stored in the file. Changing it needs exclusive access.
  if (connection.pragma('journal_mode', { simple: true }) !== 'wal') connection.pragma('journal_mode = WAL')
  connection.pragma(`synchronous = ${synchronous.toUpperCase()}`)
  connection.pragma('foreign_keys = ON')
  // Checkpoints copy the pages that changed since the last one: if they are rarer, a page that changes often is copied
  // less often.
  connection.pragma('wal_autocheckpoint = 10000')
  connection.pragma('temp_store = MEMORY')
  connection.pragma('cache_size = -65536')
  connection.pragma('mmap_size = 268435456')
  addFunctions(connection)
}

/** Adds the functions that the kernel's statements call to a connection. */
export function addFunctions(connection: BetterSqlite3.Database): void {
  const clock = new StatementClock()
  clocks.set(connection, clock)
  // SQLite's LOWER folds only ASCII letters (dialect.ts).
  connection.function('plinth_lower', { deterministic: true }, text => {
    if (typeof text !== 'string') return text as null
    clock.check()
    return text.toLowerCase()
  })
  // Text in a column of moments is converted as it is read (moment.ts).
  connection.function('plinth_moment', { deterministic: true }, text => {
    clock.check()
    const ms = momentOf(text)
    return isDate(ms) ? ms : null
  })
  // Not deterministic, because SQLite would call a deterministic function only once.
  connection.function('plinth_tick', () => {
    clock.check()
    return 1
  })
}
