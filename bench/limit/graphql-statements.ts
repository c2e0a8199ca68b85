// How the GraphQL server of the limit prepares its statements: in one way on all databases.

import type { Target } from '../store/store.ts'
import { openMysqlPool } from './mysql/open.ts'
import { createTotal } from './pooled/total.ts'
import { openPostgresPool } from './postgres/open.ts'
import type { Maybe } from './requests.ts'
import { openSqlite } from './sqlite/open.ts'
import { createTotal as createSqliteTotal } from './sqlite/total.ts'

/** Runs a statement; SQLite returns the rows, the servers return a promise of them. */
export type Ask<T> = (...values: readonly unknown[]) => Maybe<readonly T[]>

export interface Statements {
  /** The SQL after a column that tests whether its value is in a list of ids; the list is one value. */
  readonly listed: string
  /** Placeholders of values are `?`. */
  prepare<T>(text: string): Ask<T>
  /** The number of rows of `SELECT count(*) AS total …`: cached on SQLite, which reports writes, else counted each time. */
  prepareTotal(text: string): () => Maybe<number>
}

export function openStatements(target: Target): Statements {
  if (target.client === 'sqlite') return openSqliteStatements(target)
  const { pool } = target.client === 'mysql' ? openMysqlPool(target) : openPostgresPool(target)
  return { ...pool, prepareTotal: text => createTotal(pool.prepare(text), false).get }
}

function openSqliteStatements(target: Target): Statements {
  const database = openSqlite(target)
  return {
    listed: 'IN (SELECT value FROM json_each(?))',
    prepare<T>(text: string) {
      const statement = database.prepare<unknown[], T>(text)
      return (...values) => statement.all(...values.map(value => (Array.isArray(value) ? `[${value}]` : value)))
    },
    prepareTotal: text => createSqliteTotal(database, text).get,
  }
}
