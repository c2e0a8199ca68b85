// The limit server's database on SQLite: one connection in the server's process, with all statements prepared once.

import Database from 'better-sqlite3'
import type { Target } from '../../store/store.ts'
import type { Limit } from '../requests.ts'
import { createReads } from './reads.ts'
import { createWrites } from './writes.ts'

/** The database with the settings of this server. */
export function openSqlite({ connection }: Target): Database.Database {
  const database = new Database(connection.filename as string)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma(`mmap_size = ${2 ** 28}`)
  database.pragma('cache_size = -65536')
  database.pragma('temp_store = MEMORY')
  return database
}

export function openSqliteLimit(target: Target, drafts: boolean): Limit {
  const database = openSqlite(target)
  const { lists, findOne, forgetTotal } = createReads(database, drafts)
  const { create, update } = createWrites(database, drafts)
  return {
    lists,
    findOne,
    create(data) {
      const text = create(data)
      forgetTotal()
      return text
    },
    update,
  }
}
