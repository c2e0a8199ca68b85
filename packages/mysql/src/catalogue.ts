// The catalogue of MySQL and MariaDB: the information schema of one database.

import type { Catalogue, Session } from '@plinth/kernel/database'

export const mysqlCatalogue: Catalogue = {
  // In MariaDB, json is a longtext with a check constraint named like the column.
  columns: `SELECT c.table_name, c.column_name, c.column_type FROM information_schema.columns c
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    WHERE c.table_schema = DATABASE() AND t.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'
    ORDER BY c.table_name, c.ordinal_position`,
  indexes: `SELECT table_name, index_name, column_name, 1 - non_unique, COALESCE(collation, '') = 'D', NULL
    FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name <> 'PRIMARY' ORDER BY table_name, index_name, seq_in_index`,
  // Empty if performance_schema is off, as it is on MariaDB by default.
  indexUses: `SELECT object_name, index_name, count_read FROM performance_schema.table_io_waits_summary_by_index_usage
    WHERE object_schema = DATABASE() AND index_name IS NOT NULL`,
  keys: `SELECT k.table_name, k.constraint_name, k.column_name, k.referenced_table_name, r.delete_rule
    FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
    ON r.constraint_schema = k.constraint_schema AND r.table_name = k.table_name AND r.constraint_name = k.constraint_name
    WHERE k.table_schema = DATABASE() AND r.constraint_schema = DATABASE() AND k.referenced_table_name IS NOT NULL`,
  table: name => `SELECT 1 FROM information_schema.tables WHERE table_name = '${name}' AND table_schema = DATABASE()`,
  findJson,
  isWhole,
}

const none: ReadonlySet<string> = new Set()

/** Finds MariaDB's JSON columns. MySQL reports the type itself, and its check_constraints has no table names. */
async function findJson(session: Session): Promise<ReadonlySet<string>> {
  const [row] = await session.all('SELECT VERSION()', [])
  if (!/mariadb/i.test(String(row?.[0]))) return none
  const text = `SELECT table_name, constraint_name FROM information_schema.check_constraints
    WHERE constraint_schema = DATABASE() AND check_clause LIKE 'json_valid(%'`
  return new Set(((await session.all(text, [])) as [string, string][]).map(([table, column]) => `${table} ${column}`))
}

/** ER_WARN_I_S_SKIPPED_TABLE. */
const skippedTable = 1684

/**
 * A connection that holds a lock does not wait for a table that another one is changing, and its queries of the
 * information schema leave the table out, with a warning.
 */
async function isWhole(session: Session): Promise<boolean> {
  const warnings = await session.all('SHOW WARNINGS', [])
  return !warnings.some(([, code]) => Number(code) === skippedTable)
}
