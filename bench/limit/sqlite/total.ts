// The number of articles, counted once and cached until a write.

import type { Database } from 'better-sqlite3'

/** SQLite's `data_version` shows writes of other processes; `forget` is called for writes of this one. */
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
