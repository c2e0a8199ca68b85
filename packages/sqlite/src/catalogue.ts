// SQLite's catalogue of tables: sqlite_master and pragmas in the form of table-valued functions. Tables of SQLite
// itself are not listed.

import type { Catalogue } from '@plinth/kernel/database'

export const sqliteCatalogue: Catalogue = {
  columns: `SELECT m.name, p.name, p.type FROM sqlite_master m JOIN pragma_table_info(m.name) p
    WHERE m.type = 'table' AND m.name NOT GLOB 'sqlite_*'`,
  indexes: `SELECT m.name, x.name, i.name, x."unique", i."desc", CASE WHEN x.partial THEN 'partial' END
    FROM sqlite_master m JOIN pragma_index_list(m.name) x JOIN pragma_index_xinfo(x.name) i
    WHERE m.type = 'table' AND x.origin = 'c' AND i.key ORDER BY m.name, x.name, i.seqno`,
  indexUses: null,
  keys: `SELECT DISTINCT m.name, '', f."from", f."table", f.on_delete
    FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
  table: name => `SELECT 1 FROM sqlite_master WHERE name = '${name}'`,
  findJson: null,
  isWhole: null,
}
