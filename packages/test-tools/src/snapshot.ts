/** Reads everything in a database as comparable lines of text: the definitions of its tables, and all their rows. */

import type { OpenConnection, RawRow } from './connections.ts'
import type { Client, TestDatabase } from './databases.ts'

/** By table: definitions of columns, indexes and constraints, and rows. */
export type Snapshot = ReadonlyMap<
  string,
  { readonly definitions: readonly string[]; readonly rows: readonly string[] }
>

type Define = (opened: OpenConnection) => Promise<Map<string, string[]>>

const definers: Readonly<Record<Client, Define>> = {
  sqlite: defineSqlite,
  mysql: defineMysql,
  postgres: definePostgres,
}

/** Reads a database, also while other connections to it are open. */
export async function takeSnapshot(database: TestDatabase): Promise<Snapshot> {
  const opened = await database.open()
  const quote = (name: string) => (database.client === 'mysql' ? `\`${name}\`` : `"${name}"`)
  try {
    const snapshot = new Map<string, { definitions: string[]; rows: string[] }>()
    for (const [table, definitions] of await definers[database.client](opened)) {
      const rows = await opened.all(`SELECT * FROM ${quote(table)}`)
      snapshot.set(table, { definitions, rows: rows.map(line).sort() })
    }
    return snapshot
  } finally {
    await opened.close()
  }
}

/** A row as text, in which SQLite's integers differ from its floats. */
function line(row: RawRow): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Lines of `one` that are missing in `other`, each with its table. */
export function missing(one: Snapshot, other: Snapshot): string[] {
  return [...one].flatMap(([table, { definitions, rows }]) => {
    const there = other.get(table)
    if (there === undefined) return [`table ${table}`]
    const lines = new Set([...there.definitions, ...there.rows])
    return [...definitions, ...rows].filter(text => !lines.has(text)).map(text => `${table}: ${text}`)
  })
}

function group(rows: readonly RawRow[]): Map<string, string[]> {
  const tables = new Map<string, string[]>()
  for (const { table, text } of rows) tables.set(String(table), [...(tables.get(String(table)) ?? []), String(text)])
  return tables
}

async function defineSqlite(opened: OpenConnection) {
  return group(await opened.all(`SELECT tbl_name AS "table", sql AS text FROM sqlite_master WHERE sql IS NOT NULL`))
}

/** Each line of SHOW CREATE TABLE is a column, an index or a constraint. */
async function defineMysql(opened: OpenConnection) {
  const tables = new Map<string, string[]>()
  for (const row of await opened.all('SHOW TABLES')) {
    const name = String(Object.values(row)[0])
    const [definition] = await opened.all(`SHOW CREATE TABLE \`${name}\``)
    const lines = String(definition!['Create Table']).split('\n')
    tables.set(
      name,
      lines.map(text => text.trim().replace(/,$/, '')),
    )
  }
  return tables
}

async function definePostgres(opened: OpenConnection) {
  const column = `concat_ws(' ', column_name, ordinal_position, data_type, character_maximum_length, numeric_precision,
    numeric_scale, datetime_precision, is_nullable, column_default)`
  return group(
    await opened.all(`
      SELECT table_name AS "table", ${column} AS text FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0`),
  )
}
