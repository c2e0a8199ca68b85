// The number of articles, counted once and kept until somebody writes.
import type { Database } from 'better-sqlite3'

/** Writes of other processes are seen by SQLite's `data_version`, our own are told by `forget`. */
export function createTotal(database: Database, query: string) {
  const count = database.prepare<[], number>(query).pluck()
  const dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck()
  let known: number | null = null
  let version = -1
  return {
    get(): number {
      const current = dataVersion.get()!
      if (known === null || current !== version) {
        known = count.get()!
        version = current
      }
      return known
    },
    forget(): void {
      known = null
    },
  }
}
