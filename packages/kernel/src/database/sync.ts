// Brings the database to the model by adding what is missing: tables, columns, indexes. It never drops or retypes anything;
// what the model no longer names is reported and left alone.

import type { Knex } from 'knex'
import type { Registry } from '../model/registry.ts'
import { isClash } from '../write/clash.ts'
import type { Database } from './database.ts'
import { inspect, type Present } from './inspect.ts'
import { type ColumnLayout, type IndexLayout, layoutOf, type TableLayout } from './layout.ts'
import type { Transaction } from './session.ts'

/** What a sync found and did. */
export interface SyncReport {
  readonly created: readonly string[]
  readonly added: readonly string[]
  /** `table` or `table.column` in the database that the model does not know. */
  readonly unknown: readonly string[]
}

/** Adds what is missing, in one transaction. */
export async function syncSchema(
  database: Database,
  registry: Registry,
  warn: (message: string) => void,
): Promise<SyncReport> {
  const layout = layoutOf(registry)
  return database.transaction(async tx => {
    const present = await inspect(database.dialect, tx)
    const created: string[] = []
    const added: string[] = []
    const ties: string[] = []
    for (const table of layout) {
      const columns = present.columns.get(table.name)
      if (columns === undefined) {
        const [create, ...rest] = statementsOf(createTable(database.knex, table))
        await tx.run(create!, [])
        // Foreign keys of servers: the tables they point at may come later.
        ties.push(...rest)
        created.push(table.name)
      } else {
        const missing = table.columns.filter(column => !columns.has(column.name))
        const texts = missing.length > 0 ? statementsOf(addColumns(database.knex, table.name, missing)) : []
        for (const text of texts) await tx.run(text, [])
        added.push(...missing.map(column => `${table.name}.${column.name}`))
      }
      for (const index of table.indexes) await addIndex(database, tx, table, index, present, warn)
    }
    for (const text of ties) await tx.run(text, [])
    const unknown = findUnknown(layout, present)
    if (unknown.length > 0)
      warn(`the database holds what the model does not name; it is left alone: ${unknown.join(', ')}`)
    return { created, added, unknown }
  })
}

/** What knex would run; definitions of tables have no bound values. */
function statementsOf(builder: Knex.SchemaBuilder): string[] {
  return (builder.toSQL() as unknown as { sql: string }[]).map(one => one.sql)
}

function createTable(knex: Knex, table: TableLayout): Knex.SchemaBuilder {
  return knex.schema.createTable(table.name, t => {
    for (const column of table.columns) addColumn(t, column)
    for (const key of table.foreignKeys) {
      t.foreign(key.column, key.name).references('id').inTable(key.table).onDelete(key.onDelete)
    }
  })
}

function addColumns(knex: Knex, table: string, columns: readonly ColumnLayout[]): Knex.SchemaBuilder {
  return knex.schema.alterTable(table, t => {
    for (const column of columns) addColumn(t, column)
  })
}

/** The column types v4 asks knex for (B-10.31). */
const columnTypes: Readonly<Record<string, (t: Knex.CreateTableBuilder, name: string) => unknown>> = {
  id: (t, name) => t.increments(name, { primaryKey: true }),
  reference: (t, name) => t.integer(name).unsigned(),
  order: (t, name) => t.double(name).unsigned(),
  string: (t, name) => t.string(name),
  text: (t, name) => t.text(name, 'longtext'),
  integer: (t, name) => t.integer(name),
  biginteger: (t, name) => t.bigInteger(name),
  float: (t, name) => t.double(name),
  decimal: (t, name) => t.decimal(name, 10, 2),
  boolean: (t, name) => t.boolean(name),
  date: (t, name) => t.date(name),
  time: (t, name) => (t.time as (name: string, options: object) => unknown)(name, { precision: 3 }),
  datetime: (t, name) => t.datetime(name, { useTz: false, precision: 6 }),
  timestamp: (t, name) => t.timestamp(name, { useTz: false, precision: 6 }),
  json: (t, name) => t.jsonb(name),
}

function addColumn(t: Knex.CreateTableBuilder, column: ColumnLayout): void {
  const add = columnTypes[column.kind]
  if (add === undefined) throw new Error(`no column type for "${column.kind}"`)
  add(t, column.name)
}

async function addIndex(
  database: Database,
  tx: Transaction,
  table: TableLayout,
  index: IndexLayout,
  present: Present,
  warn: (message: string) => void,
): Promise<void> {
  if (present.indexes.has(`${table.name} ${index.name}`)) return
  const q = (name: string) => database.dialect.quote(name)
  // As a part of its own: PostgreSQL, having refused an index, refuses all that follows in the same part. MySQL commits with
  // every change of a table and knows no parts of such.
  const change = async (text: string): Promise<unknown> =>
    database.dialect.name === 'mysql' ? tx.run(text, []) : database.transaction(async part => part.run(text, []))
  const create = (kind: string, name: string) =>
    change(`CREATE ${kind} ${q(name)} ON ${q(table.name)} (${index.columns.map(q).join(', ')})`)
  try {
    await create(index.unique ? 'UNIQUE INDEX' : 'INDEX', index.name)
  } catch (error) {
    // v4 did not enforce uniqueness in the database: old rows may clash, and they stay.
    if (!index.unique || !isClash(error)) throw error
    warn(
      `${table.name}: rows clash in ${index.columns.join(', ')}, which should be unique; it is checked, but not enforced`,
    )
    const fallback = `${index.name}_lookup`
    if (!present.indexes.has(`${table.name} ${fallback}`)) await create('INDEX', fallback)
  }
}

/** Leftovers of tables the model has, and tables named like link tables of them. Foreign tables are no business of ours. */
function findUnknown(layout: readonly TableLayout[], present: Present): string[] {
  const unknown: string[] = []
  const known = new Map(layout.map(table => [table.name, table]))
  for (const [name, columns] of present.columns) {
    const table = known.get(name)
    if (table !== undefined) {
      const named = new Set(table.columns.map(column => column.name))
      for (const column of columns) if (!named.has(column)) unknown.push(`${name}.${column}`)
    } else if (!/^(sqlite_|strapi_|admin_|up_|upload_|files|i18n_|plinth_)/.test(name)) unknown.push(name)
  }
  return unknown
}
