// Creates the database of the limit server, and opens it for a store.

import type { Entries } from '../data/entries.ts'
import type { Client, Store, Target } from '../store/store.ts'
import { openMysqlLimit } from './mysql/open.ts'
import { mysqlTables } from './mysql/tables.ts'
import { openPostgresLimit } from './postgres/open.ts'
import { postgresTables } from './postgres/tables.ts'
import type { Limit } from './requests.ts'
import { limitTables, type TableTexts } from './rows.ts'
import { openSqliteLimit } from './sqlite/open.ts'
import { sqliteTables } from './sqlite/tables.ts'

const OPEN: Readonly<Record<Client, (target: Target, drafts: boolean) => Limit>> = {
  sqlite: openSqliteLimit,
  mysql: openMysqlLimit,
  postgres: openPostgresLimit,
}

const TABLES: Readonly<Record<Client, (drafts: boolean) => TableTexts>> = {
  sqlite: sqliteTables,
  mysql: mysqlTables,
  postgres: postgresTables,
}

export const openLimit = (target: Target, drafts: boolean): Limit => OPEN[target.client](target, drafts)

/** Creates and fills the tables of the limit server, and updates the optimizer's statistics. */
export async function createLimitDatabase(store: Store, entries: Entries, drafts: boolean): Promise<void> {
  const { tables, indexes } = TABLES[store.client](drafts)
  await store.create('limit')
  await store.run('limit', tables)
  await store.fill('limit', limitTables(store.client, entries))
  await store.run('limit', indexes)
  await store.settle('limit')
}
