// PostgreSQL's catalogue of tables, for the schema of the connection.

import type { Catalogue } from '@plinth/kernel/database'

export const postgresCatalogue: Catalogue = {
  columns: `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = CURRENT_SCHEMA()
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relkind IN ('r', 'p') ORDER BY c.relname, a.attnum`,
  // Columns that an index only includes are not among its keys.
  indexes: `SELECT t.relname, i.relname, a.attname, x.indisunique::int, x.indoption[k.place - 1] & 1,
    CASE WHEN NOT x.indisvalid THEN 'invalid' WHEN x.indpred IS NOT NULL THEN 'partial' END FROM pg_index x
    JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = CURRENT_SCHEMA()
    CROSS JOIN LATERAL UNNEST(x.indkey) WITH ORDINALITY k(attnum, place)
    LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
    WHERE NOT x.indisprimary ORDER BY t.relname, i.relname, k.place`,
  indexUses: `SELECT relname, indexrelname, idx_scan FROM pg_stat_user_indexes WHERE schemaname = CURRENT_SCHEMA()`,
  keys: `SELECT t.relname, k.conname, a.attname, f.relname,
    CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid
    JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = CURRENT_SCHEMA()
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1] WHERE k.contype = 'f'`,
  table: name =>
    `SELECT 1 FROM information_schema.tables WHERE table_name = '${name}' AND table_schema = CURRENT_SCHEMA()`,
  findJson: null,
  isWhole: null,
}
