// The requests that the limit server makes to its database, and how its database is created and opened for a store.
import type { Entries } from '../data/entries.ts'
import type { Client, Store, Target } from '../store/store.ts'
import { openMysqlLimit } from './mysql/open.ts'
import { mysqlTables } from './mysql/tables.ts'
import type { ListPlan } from './plan.ts'
import { openPostgresLimit } from './postgres/open.ts'
import { postgresTables } from './postgres/tables.ts'
import { limitTables, type TableTexts } from './rows.ts'
import { openSqliteLimit } from './sqlite/open.ts'
import { sqliteTables } from './sqlite/tables.ts'

/** SQLite returns values, the servers return promises. */
export type Maybe<T> = T | Promise<T>

/** The data of a create; it is not validated. */
export interface Created {
  readonly title: string
  readonly slug?: string
  readonly summary?: string
  readonly body?: string
  readonly kind?: string
  readonly rating?: number
  readonly views?: number
  readonly featured?: boolean
  readonly publishedOn?: string
  readonly extra?: unknown
  readonly author?: number
  readonly categories?: readonly number[]
}

/** The requests of the bench, each answered with JSON text, or null if there is no such article. */
export interface Limit {
  readonly lists: Readonly<Record<ListPlan['kind'], (plan: ListPlan) => Maybe<string>>>
  findOne(id: number): Maybe<string | null>
  create(data: Created): Maybe<string>
  update(id: number, data: { readonly views: number }): Maybe<string | null>
}

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
