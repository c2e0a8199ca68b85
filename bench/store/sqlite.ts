// SQLite files in .data; a copy is a copy of the file.

import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { columnsOf, type Side, type Store, type Tables, type Target } from './store.ts'

const FOLDER = new URL('../.data/', import.meta.url).pathname

const pristine = (side: Side) => `${FOLDER}${side}.db`

const targetOf = (filename: string): Target => ({ client: 'sqlite', connection: { filename } })

/** SQLite would treat a log that is left beside the file as a part of the new one. */
function removed(filename: string): string {
  for (const suffix of ['', '-wal', '-shm']) rmSync(filename + suffix, { force: true })
  return filename
}

function open<T>(filename: string, work: (database: Database.Database) => T): T {
  const database = new Database(filename)
  try {
    database.pragma('journal_mode = WAL')
    return work(database)
  } finally {
    database.close()
  }
}

export const sqlite: Store = {
  client: 'sqlite',
  async describe() {
    const version = open(':memory:', database => database.prepare('SELECT sqlite_version()').pluck().get())
    return `SQLite ${version}, WAL, in the server's process`
  },
  async create(side) {
    mkdirSync(FOLDER, { recursive: true })
    return targetOf(removed(pristine(side)))
  },
  async run(side, statements) {
    open(pristine(side), database => database.exec(statements.join(';')))
  },
  async fill(side, tables) {
    open(pristine(side), database => database.transaction(() => fill(database, tables))())
  },
  async settle(side) {
    open(pristine(side), database => {
      database.exec('ANALYZE')
      database.pragma('wal_checkpoint(TRUNCATE)')
    })
  },
  async copy(side) {
    const copy = removed(`${FOLDER}${side}-run.db`)
    copyFileSync(pristine(side), copy, constants.COPYFILE_FICLONE)
    return targetOf(copy)
  },
  async close() {},
}

function fill(database: Database.Database, tables: Tables): void {
  for (const [table, rows] of Object.entries(tables)) {
    const info = database.pragma(`table_info(${table})`) as { name: string }[]
    const columns = columnsOf(table, rows, new Set(info.map(column => column.name)))
    const names = columns.map(column => `"${column}"`)
    const insert = database.prepare(`INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?')})`)
    for (const row of rows) insert.run(columns.map(column => row[column]!))
  }
}
