// SQLite's foreign keys while tables change. It deletes what refers to a table before it drops it, and every tool that alters
// a table of SQLite drops the old one; so they are off meanwhile, and what was really deleted takes along what refers to it
// afterwards.

import type { Knex } from 'knex'
import { StartError } from '../../errors.ts'

/** Runs `work`, which begins its own transaction, without foreign keys. */
export async function withoutForeignKeys<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
  await knex.raw('PRAGMA foreign_keys = OFF')
  try {
    return await work()
  } finally {
    await knex.raw('PRAGMA foreign_keys = ON')
  }
}

/** knex alters tables of SQLite by making them anew. */
export async function keepingLinks(trx: Knex, work: () => unknown): Promise<void> {
  const before = await findOrphans(trx)
  await work()
  await settleOrphans(trx, before)
}

/** A row that refers to one that is not there. */
interface Orphan {
  readonly table: string
  readonly rowid: number
  /** Which of the table's foreign keys. */
  readonly fkid: number
}

const keyOf = ({ table, rowid, fkid }: Orphan) => `${table} ${rowid} ${fkid}`

/** The rows that refer to nothing; there may be some in an old database, and they stay. */
async function findOrphans(trx: Knex): Promise<ReadonlySet<string>> {
  return new Set((await listOrphans(trx)).map(keyOf))
}

const listOrphans = async (trx: Knex) => (await trx.raw('PRAGMA foreign_key_check')) as Orphan[]

/** Does to new orphans what their foreign keys say. */
async function settleOrphans(trx: Knex, before: ReadonlySet<string>): Promise<void> {
  for (;;) {
    const orphans = (await listOrphans(trx)).filter(one => !before.has(keyOf(one)))
    if (orphans.length === 0) return
    for (const { table, rowid, fkid } of orphans) {
      const [key] = (await trx.raw(
        `SELECT "from" AS name, on_delete AS rule FROM pragma_foreign_key_list(?) WHERE id = ?`,
        [table, fkid],
      )) as { name: string; rule: string }[]
      if (key?.rule === 'CASCADE') await trx(table).where({ rowid }).delete()
      else if (key?.rule === 'SET NULL')
        await trx(table)
          .where({ rowid })
          .update({ [key.name]: null })
      else throw new StartError('PLINTH_MIGRATION_FILE', `row ${rowid} of ${table} would refer to nothing`)
    }
  }
}
