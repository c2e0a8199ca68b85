// What a database holds, read from its catalogue in a handful of statements, whatever the number of tables.

import type { Session } from './session.ts'
import type { Dialect } from '../sql/dialect.ts'

export interface PresentColumn {
  readonly name: string
  /** As the database words it: `varchar(255)`, `character varying(255)`. */
  readonly type: string
}

export interface PresentIndex {
  readonly name: string
  /** An expression is an empty text. */
  readonly columns: readonly string[]
  readonly unique: boolean
}

export interface PresentKey {
  /** Empty on SQLite, which does not tell. */
  readonly name: string
  readonly column: string
  readonly table: string
  readonly onDelete: string
}

export interface PresentTable {
  readonly name: string
  readonly columns: ReadonlyMap<string, PresentColumn>
  readonly indexes: readonly PresentIndex[]
  readonly keys: readonly PresentKey[]
}

/** Tables by name. */
export type Present = ReadonlyMap<string, PresentTable>

interface Catalogue {
  /** table, column, type */
  readonly columns: string
  /** table, index, column, unique */
  readonly indexes: string
  /** table, name, column, referenced table, delete rule */
  readonly keys: string
}

const catalogues: Readonly<Record<Dialect['name'], Catalogue>> = {
  sqlite: {
    columns: `SELECT m.name, p.name, p.type FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'`,
    indexes: `SELECT m.name, x.name, i.name, x."unique" FROM sqlite_master m JOIN pragma_index_list(m.name) x
      JOIN pragma_index_info(x.name) i WHERE m.type = 'table' AND x.origin = 'c' ORDER BY m.name, x.name, i.seqno`,
    keys: `SELECT DISTINCT m.name, '', f."from", f."table", f.on_delete
      FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
  },
  mysql: {
    // MariaDB's json is a longtext with a check of the column's name.
    columns: `SELECT c.table_name, c.column_name, c.column_type FROM information_schema.columns c
      JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
      WHERE c.table_schema = DATABASE() AND t.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'
      ORDER BY c.table_name, c.ordinal_position`,
    indexes: `SELECT table_name, index_name, column_name, 1 - non_unique FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND index_name <> 'PRIMARY' ORDER BY table_name, index_name, seq_in_index`,
    keys: `SELECT k.table_name, k.constraint_name, k.column_name, k.referenced_table_name, r.delete_rule
      FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
      ON r.constraint_schema = k.constraint_schema AND r.table_name = k.table_name AND r.constraint_name = k.constraint_name
      WHERE k.table_schema = DATABASE() AND r.constraint_schema = DATABASE() AND k.referenced_table_name IS NOT NULL`,
  },
  postgres: {
    columns: `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = CURRENT_SCHEMA()
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relkind IN ('r', 'p') ORDER BY c.relname, a.attnum`,
    indexes: `SELECT t.relname, i.relname, a.attname, x.indisunique::int FROM pg_index x
      JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = CURRENT_SCHEMA()
      CROSS JOIN LATERAL UNNEST(x.indkey) WITH ORDINALITY k(attnum, place)
      LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
      WHERE NOT x.indisprimary ORDER BY t.relname, i.relname, k.place`,
    keys: `SELECT t.relname, k.conname, a.attname, f.relname,
      CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END
      FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid
      JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = CURRENT_SCHEMA()
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1] WHERE k.contype = 'f'`,
  },
}

/** Reads the catalogue of the connection's database or schema. */
export async function inspect(name: Dialect['name'], session: Session): Promise<Present> {
  const catalogue = catalogues[name]
  const tables = new Map<string, Mutable>()
  const listed = (await session.all(catalogue.columns, [])) as [string, string, string][]
  const checked = name === 'mysql' ? await checkedJson(session) : none
  for (const [table, column, type] of listed) {
    const known = tables.get(table) ?? { name: table, columns: new Map(), indexes: [], keys: [] }
    tables.set(table, known)
    known.columns.set(column, { name: column, type: checked.has(`${table} ${column}`) ? 'json' : type })
  }
  const indexed = (await session.all(catalogue.indexes, [])) as [string, string, string | null, unknown][]
  for (const [table, index, column, unique] of indexed) {
    const indexes = tables.get(table)?.indexes
    const last = indexes?.at(-1)
    if (last?.name === index) (last.columns as string[]).push(column ?? '')
    else indexes?.push({ name: index, columns: [column ?? ''], unique: Number(unique) === 1 })
  }
  const keys = (await session.all(catalogue.keys, [])) as [string, string, string, string, string][]
  for (const [table, key, column, target, onDelete] of keys)
    tables.get(table)?.keys.push({ name: key, column, table: target, onDelete })
  return tables
}

interface Mutable extends PresentTable {
  readonly columns: Map<string, PresentColumn>
  readonly indexes: PresentIndex[]
  readonly keys: PresentKey[]
}

const none: ReadonlySet<string> = new Set()

/** Columns of MariaDB that are JSON. MySQL says so itself, and its catalogue names no tables here. */
async function checkedJson(session: Session): Promise<ReadonlySet<string>> {
  const [row] = await session.all('SELECT VERSION()', [])
  if (!/mariadb/i.test(String(row?.[0]))) return none
  const text = `SELECT table_name, constraint_name FROM information_schema.check_constraints
    WHERE constraint_schema = DATABASE() AND check_clause LIKE 'json_valid(%'`
  return new Set(((await session.all(text, [])) as [string, string][]).map(([table, column]) => `${table} ${column}`))
}
