// Handles SQLite's foreign keys while tables change. Tools change a table of SQLite by creating a new one and dropping
// the old one, and SQLite deletes the rows that refer to a dropped table. Therefore foreign keys are off meanwhile;
// afterwards, their delete rules are applied for rows that were really deleted.

import { type Knex, StartError } from '@plinth/kernel/database'

/** Runs `work`, which begins its own transaction, without foreign keys. */
export async function withoutForeignKeys<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
  await knex.raw('PRAGMA foreign_keys = OFF')
  try {
    return await work()
  } finally {
    await knex.raw('PRAGMA foreign_keys = ON')
  }
}

/** Runs `work` and then applies the delete rules: knex changes tables of SQLite by creating them again. */
export async function keepingLinks(trx: Knex, work: () => unknown): Promise<void> {
  const before = await findOrphans(trx)
  await work()
  await settleOrphans(trx, before)
}

/** A row that refers to a missing row. */
interface Orphan {
  readonly table: string
  readonly rowid: number
  /** The index of the foreign key within its table. */
  readonly fkid: number
}

const keyOf = ({ table, rowid, fkid }: Orphan) => `${table} ${rowid} ${fkid}`

/** Finds rows with broken references. An old database may have some, and they stay. */
async function findOrphans(trx: Knex): Promise<ReadonlySet<string>> {
  return new Set((await listOrphans(trx)).map(keyOf))
}

const listOrphans = async (trx: Knex) => (await trx.raw('PRAGMA foreign_key_check')) as Orphan[]

/** Applies the delete rules of their foreign keys to new orphans. */
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
      else
        throw new StartError('PLINTH_MIGRATION_FILE', `row ${rowid} of the table ${table} would refer to a missing row`)
    }
  }
}
