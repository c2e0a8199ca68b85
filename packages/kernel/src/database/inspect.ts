// What a database holds, read from its catalogue in two statements.

import type { Database } from './database.ts'
import type { Session } from './session.ts'

/** Columns by table, and the columns of each index by `table index`. */
export interface Present {
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  readonly indexes: ReadonlyMap<string, readonly string[]>
}

const catalogues = {
  sqlite: {
    columns: `SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'`,
    indexes: `SELECT m.name, m.tbl_name, i.name FROM sqlite_master m JOIN pragma_index_info(m.name) i
      WHERE m.type = 'index' ORDER BY m.name, i.seqno`,
  },
  mysql: {
    columns: `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = DATABASE()`,
    indexes: `SELECT index_name, table_name, column_name FROM information_schema.statistics
      WHERE table_schema = DATABASE() ORDER BY index_name, seq_in_index`,
  },
  postgres: {
    columns: `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = CURRENT_SCHEMA()`,
    indexes: `SELECT i.relname, t.relname, a.attname FROM pg_index x
      JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = CURRENT_SCHEMA()
      CROSS JOIN LATERAL UNNEST(x.indkey) WITH ORDINALITY k(attnum, place)
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum ORDER BY i.relname, k.place`,
  },
} as const

/** Reads the catalogue of the connection's database or schema. */
export async function inspect(dialect: Database['dialect'], session: Session): Promise<Present> {
  const texts = catalogues[dialect.name]
  const columns = new Map<string, Set<string>>()
  for (const [table, column] of (await session.all(texts.columns, [])) as [string, string][]) {
    const known = columns.get(table) ?? new Set()
    columns.set(table, known.add(column))
  }
  const indexes = new Map<string, string[]>()
  for (const [name, table, column] of (await session.all(texts.indexes, [])) as [string, string, string][]) {
    const key = `${table} ${name}`
    indexes.set(key, [...(indexes.get(key) ?? []), column])
  }
  return { columns, indexes }
}
