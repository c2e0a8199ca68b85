// Opens connections to a SQLite file and sets them up. Nothing here waits inside SQLite: a file that is held elsewhere is
// tried again until a deadline.

import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { StatementClock } from './clock.ts'
import { isBusy } from './errors.ts'

/** How a connection is opened. */
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

/** Opens a connection of its own and sets it up. */
export async function openConnection(settings: ConnectionSettings): Promise<BetterSqlite3.Database> {
  return whenFree(settings.acquireTimeout, () => {
    const connection = new BetterSqlite3(settings.filename)
    try {
      tune(connection, settings.synchronous)
      // The first read opens the write-ahead log by its name. Later the file may have been moved away, and its log with it.
      connection.prepare('SELECT count(*) FROM sqlite_schema').get()
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  })
}

/** Sets up a connection that somebody else opened. */
export async function tuneConnection(connection: BetterSqlite3.Database, settings: ConnectionSettings): Promise<void> {
  await whenFree(settings.acquireTimeout, () => tune(connection, settings.synchronous))
}

/** Runs `work` until the file is not held by others, for `waitTimeout` milliseconds. Throws SQLite's error afterwards. */
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

/** Readers do not wait for writers (WAL), and no statement sleeps inside SQLite, where the whole process would. */
function tune(connection: BetterSqlite3.Database, synchronous: string): void {
  connection.pragma('busy_timeout = 0')
  // The mode belongs to the file. Changing it needs the file alone.
  if (connection.pragma('journal_mode', { simple: true }) !== 'wal') connection.pragma('journal_mode = WAL')
  connection.pragma(`synchronous = ${synchronous.toUpperCase()}`)
  connection.pragma('foreign_keys = ON')
  // Checkpoints copy what changed since the last one: rarer ones copy a busy page once.
  connection.pragma('wal_autocheckpoint = 10000')
  connection.pragma('temp_store = MEMORY')
  connection.pragma('cache_size = -65536')
  connection.pragma('mmap_size = 268435456')
  addFunctions(connection)
}

/** Gives a connection the functions that statements of the kernel call. */
export function addFunctions(connection: BetterSqlite3.Database): void {
  const clock = new StatementClock()
  clocks.set(connection, clock)
  // SQLite's own folds the letters of ASCII only (dialect.ts).
  connection.function('plinth_lower', { deterministic: true }, text => {
    if (typeof text !== 'string') return text as null
    clock.check()
    return text.toLowerCase()
  })
  // Not deterministic: SQLite would call it once.
  connection.function('plinth_tick', () => {
    clock.check()
    return 1
  })
}
