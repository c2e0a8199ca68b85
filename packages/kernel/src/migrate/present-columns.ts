// Finds columns in a database before the model is closed: attributes whose type the model does not say are read as their
// column is. Changes nothing.

import { inspectColumns, type PresentColumn } from '../connection/catalogue.ts'
import type { Database } from '../connection/database.ts'
import type { Ddl } from '../connection/ddl.ts'
import type { Session } from '../connection/session.ts'
import { type Storage, storages } from '../model/attribute-types.ts'
import type { Registry } from '../model/registry.ts'
import { type FindColumn, noColumn, type StoredColumn } from '../model/settle-fields.ts'
import { formerOf } from './previous-names.ts'

/** Reads the columns of the database, if there is one and a custom field may need them. */
export async function columnsFor(registry: Registry, database: Database | null): Promise<FindColumn> {
  if (database === null || !registry.hasCustomFields) return noColumn
  return database.readUnlimited(session => readColumns(database.ddl, session))
}

/** Reads the columns of a database, which `findColumn` of freezeModel() looks up. */
export async function readColumns(ddl: Ddl, session: Session): Promise<FindColumn> {
  const tables = await inspectColumns(ddl.catalogue, session)
  return (owner, names) => {
    for (const table of [owner.table, ...formerOf(owner).tables]) {
      const columns = tables.get(ddl.fit(table))
      const name = columns === undefined ? undefined : names.map(one => ddl.fit(one)).find(one => columns.has(one))
      if (name !== undefined) return storedIn(ddl, columns!.get(name)!)
    }
    return null
  }
}

function storedIn(ddl: Ddl, { type }: PresentColumn): StoredColumn {
  const family = ddl.familyOf(type)
  // SQLite's families join types that another column tells apart, such as texts of both lengths.
  const storage = storages.find(one => ddl.typeOf(one) === type.toLowerCase()) ?? storages.find(one => one === family)
  return { type, storage: storage ?? null, holds: (one: Storage) => ddl.holds(family, one) }
}
