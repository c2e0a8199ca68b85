// The table of counts, which all processes of an application add to. A row is a search with the index that serves it, so
// that what was counted before an index was made stays apart.

import type { Kernel, OwnTables } from '@plinth/kernel'
import { databaseOf } from '@plinth/kernel/tables'
import type { Count } from './counts.ts'
import type { Need } from './need.ts'

const table = 'plinth_advice'

/** The maximum number of rows; those that took the least time are deleted. */
const maxRows = 1000

/** The table, which every start creates if it is missing. */
export const ownTables: OwnTables = {
  [table](columns) {
    columns.string('id', 64).primary()
    columns.text('need').notNullable()
    columns.string('index_name', 255)
    columns.bigInteger('runs').notNullable()
    columns.bigInteger('microseconds').notNullable()
    columns.bigInteger('total')
    columns.bigInteger('first_at').notNullable()
    columns.bigInteger('last_at').notNullable()
  },
}

/** The runs of a search in all processes. */
export interface StoredCount {
  readonly need: Need
  /** The index that began with the columns; null if there was none. */
  readonly index: string | null
  readonly runs: number
  readonly milliseconds: number
  readonly total: number | null
  /** Milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
}

interface Row {
  readonly need: string
  readonly index_name: string | null
  readonly runs: number | string
  readonly microseconds: number | string
  readonly total: number | string | null
  readonly first_at: number | string
  readonly last_at: number | string
}

/** Adds the counts of a process to the table. Throws what the database throws. */
export async function storeCounts(kernel: Kernel, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return
  const now = Date.now()
  // In one order, so that two processes do not wait for each other.
  const ordered = counts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await kernel.transaction(async tx => {
    const { knex } = tx
    for (const { id, need, index, runs, milliseconds, total } of ordered) {
      const microseconds = Math.round(milliseconds * 1000)
      const row = { id, need: JSON.stringify(need), index_name: index, runs, microseconds, total }
      await knex(table)
        .insert({ ...row, first_at: now, last_at: now })
        .onConflict('id')
        .merge({
          runs: knex.raw('?? + ?', [`${table}.runs`, runs]),
          microseconds: knex.raw('?? + ?', [`${table}.microseconds`, microseconds]),
          ...(total === null ? {} : { total }),
          last_at: now,
        })
    }
    const [counted] = await knex(table).count({ rows: '*' })
    const surplus = Number(counted?.rows) - maxRows
    if (surplus <= 0) return
    const least = await knex(table).select('id').orderBy('microseconds').limit(surplus)
    await knex(table)
      .whereIn(
        'id',
        least.map(one => one.id as string),
      )
      .delete()
  })
}

/** The counts of all processes; null if nobody has counted. */
export async function storedCounts(kernel: Kernel): Promise<readonly StoredCount[] | null> {
  const { knex } = databaseOf(kernel)
  if (!(await knex.schema.hasTable(table))) return null
  const rows: readonly Row[] = await knex(table).select()
  return rows.map(row => ({
    need: JSON.parse(row.need) as Need,
    index: row.index_name,
    runs: Number(row.runs),
    milliseconds: Number(row.microseconds) / 1000,
    total: row.total === null ? null : Number(row.total),
    firstAt: Number(row.first_at),
    lastAt: Number(row.last_at),
  }))
}
