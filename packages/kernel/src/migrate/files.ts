// Runs migration files: `database/migrations/*.{js,ts}` with knex's `up` and `down`, as v4 does (B-10.38). Each file
// runs once, in the order of names, in a transaction if changes of tables can be part of one.

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Knex } from 'knex'
import type { Database } from '../connection/database.ts'
import type { Session } from '../connection/session.ts'
import { StartError } from '../errors.ts'
import { checkLock, lockTimeoutSeconds, untilFree } from './lock.ts'

/** A migration file and whether it ran. */
export interface MigrationFile {
  /** With its extension, as v4 records it. */
  readonly name: string
  readonly isDone: boolean
}

const table = 'strapi_migrations'

/** Returns the files of an application in the order in which they run. */
export async function listFiles(dir: string): Promise<string[]> {
  const folder = folderOf(dir)
  if (!existsSync(folder)) return []
  return (await readdir(folder)).filter(name => /(?<!\.d)\.[cm]?[jt]s$/.test(name)).sort()
}

const folderOf = (dir: string) => join(dir, 'database/migrations')

/** Returns the files and whether they ran. */
export async function fileStates(database: Database, dir: string): Promise<MigrationFile[]> {
  const names = await listFiles(dir)
  if (names.length === 0) return []
  const done = await database.readUnlimited(session => ranFiles(database, session))
  return names.map(name => ({ name, isDone: done.has(name) }))
}

async function ranFiles(database: Database, session: Session): Promise<ReadonlySet<string>> {
  const { catalogue, quote } = database.ddl
  if ((await session.all(catalogue.table(table), [])).length === 0) return new Set()
  const rows = await session.all(`SELECT ${quote('name')} FROM ${quote(table)}`, [])
  return new Set(rows.map(row => String(row[0])))
}

/** Runs the files that have not run yet; returns their names. */
export async function runFiles(database: Database, dir: string, inform: (message: string) => void): Promise<string[]> {
  const names = await listFiles(dir)
  const ran: string[] = []
  if (names.length === 0) return ran
  for (;;) {
    const name = await runNext(database, dir, names)
    if (name === null) return ran
    inform(`The migration file ${name} has run`)
    ran.push(name)
  }
}

/** Runs the next file. Another process may run files too, so the next file is only known under the lock. */
async function runNext(database: Database, dir: string, names: readonly string[]): Promise<string | null> {
  return inTransaction(database, async trx => {
    if (!(await trx.schema.hasTable(table))) await createTable(trx)
    // On SQLite, a transaction that begins as a reader cannot wait for a writer. This statement makes it a writer.
    else await trx(table).whereRaw('1 = 0').update({ name: '' })
    const done = new Set<string>(await trx(table).pluck('name'))
    const next = names.find(name => !done.has(name))
    if (next === undefined) return null
    const { up } = await loadFile(dir, next)
    if (typeof up !== 'function')
      throw new StartError('PLINTH_MIGRATION_FILE', `database/migrations/${next}: does not export a function "up"`)
    await naming(next, () => database.ddl.keepingLinks(trx, () => up(trx)))
    await trx(table).insert({ name: next, time: new Date() })
    return next
  })
}

/** Runs `down` of the file that ran last; returns its name, or null if no file has run. */
export async function undoFile(database: Database, dir: string): Promise<string | null> {
  return inTransaction(database, async trx => {
    if (!(await trx.schema.hasTable(table))) return null
    const last = (await trx(table).orderBy('id', 'desc').first('id', 'name')) as
      | { id: number; name: string }
      | undefined
    if (last === undefined) return null
    const { down } = await loadFile(dir, last.name)
    if (typeof down !== 'function')
      throw new StartError(
        'PLINTH_MIGRATION_FILE',
        `database/migrations/${last.name}: does not export a function "down"`,
      )
    await naming(last.name, () => database.ddl.keepingLinks(trx, () => down(trx)))
    await trx(table).where('id', last.id).delete()
    return last.name
  })
}

async function naming(name: string, work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new StartError('PLINTH_MIGRATION_FILE', `database/migrations/${name}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function createTable(trx: Knex): Promise<void> {
  await trx.schema.createTable(table, t => {
    t.increments('id')
    t.string('name')
    t.datetime('time', { useTz: false })
  })
}

interface Module {
  readonly up?: (knex: Knex) => unknown
  readonly down?: (knex: Knex) => unknown
}

async function loadFile(dir: string, name: string): Promise<Module> {
  const path = join(folderOf(dir), name)
  if (!existsSync(path))
    throw new StartError('PLINTH_MIGRATION_FILE', `database/migrations/${name}: has run, but does not exist any more`)
  const module = (await import(pathToFileURL(path).href)) as Module & { default?: Module }
  return module.default ?? module
}

/** A transaction of knex, because knex's changes of SQLite's tables need one that knex has begun. */
async function inTransaction<T>(database: Database, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  const { ddl, knex } = database
  const take = ddl.lock.take(lockTimeoutSeconds)
  const { release } = ddl.lock
  const all = async (trx: Knex, text: string): Promise<unknown[][]> => {
    const answer = (await trx.raw(text)) as { rows?: object[] } | [object[]]
    const rows = Array.isArray(answer) ? answer[0] : (answer.rows ?? [])
    return rows.map(row => Object.values(row))
  }
  const run = () =>
    database.unlimitedKnex(async trx => {
      if (take !== null) checkLock(await all(trx, take))
      try {
        return await work(trx)
      } finally {
        if (release !== null) await all(trx, release)
      }
    })
  return ddl.withoutForeignKeys(knex, () => untilFree(ddl.lock, run))
}
