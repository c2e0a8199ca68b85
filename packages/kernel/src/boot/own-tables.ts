// Creates the tables that plugins make themselves (`ownTables`). They belong to no content type, and migrations leave
// them alone.

import type { Knex } from 'knex'
import type { Transaction } from '../connection/session.ts'
import { isRecord } from '../record.ts'
import { blaming } from '../registration/blame.ts'
import { shown } from '../registration/checks.ts'
import type { Refuse } from '../registration/registrar.ts'

/** The own tables of a plugin: by the name of a table, a function that adds its columns and indexes, with knex. */
export type OwnTables = Readonly<Record<string, (table: Knex.CreateTableBuilder) => void>>

/** The longest name of a table that every database accepts. */
const maxNameLength = 63

/** Refuses names that a database could change or refuse, and values that are not functions. */
export function checkOwnTables(tables: unknown, refuse: Refuse): void {
  if (!isRecord(tables)) refuse(`ownTables must be an object of functions, found ${shown(tables)}`)
  for (const [name, columns] of Object.entries(tables)) {
    if (!/^[a-z][a-z0-9_]*$/.test(name) || name.length > maxNameLength)
      refuse(
        `ownTables: a name must have at most ${maxNameLength} lower-case letters, digits and "_", found ${shown(name)}`,
      )
    if (typeof columns !== 'function') refuse(`ownTables.${name} must be a function, found ${shown(columns)}`)
  }
}

/** The part of a plugin's definition that is read here. */
interface TableOwner {
  readonly name: string
  readonly ownTables?: OwnTables
}

/** The database of a kernel. */
interface Target {
  readonly knex: Knex
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** Creates the own tables that the database lacks. Never changes a table. Errors name the plugin and the table. */
export async function createOwnTables(owners: readonly TableOwner[], target: Target): Promise<void> {
  for (const { name, ownTables = {} } of owners)
    for (const [table, columns] of Object.entries(ownTables))
      await blaming(`plugin ${name}: the table ${table}`, () => createTable(table, columns, target))
}

async function createTable(
  name: string,
  columns: Exclude<OwnTables[string], undefined>,
  target: Target,
): Promise<void> {
  // Each question has a builder of its own: a builder of knex answers all that it was asked.
  const exists = () => target.knex.schema.hasTable(name)
  if (await exists()) return
  try {
    await target.transaction(tx => tx.knex.schema.createTable(name, columns))
  } catch (error) {
    // Another process may have created it at the same time.
    if (!(await exists())) throw error
  }
}
