// The tables of a database while a plan is made: planned renames are applied to it, so that later steps use the new
// names. It keeps the current names for reading rows.

import type { Present, PresentColumn, PresentIndex, PresentKey, PresentTable } from '../connection/catalogue.ts'

/** A table under its planned name. */
export class PlannedTable implements PresentTable {
  name: string
  /** Its current name in the database. */
  readonly was: string
  readonly columns = new Map<string, PresentColumn & { readonly was: string }>()
  indexes: readonly PresentIndex[]
  keys: readonly PresentKey[]

  constructor(table: PresentTable) {
    this.name = table.name
    this.was = table.name
    this.indexes = table.indexes
    this.keys = table.keys
    for (const [name, column] of table.columns) this.columns.set(name, { ...column, was: name })
  }

  renameColumn(from: string, to: string): void {
    const column = this.columns.get(from)!
    this.columns.delete(from)
    this.columns.set(to, { ...column, name: to })
    const rename = (name: string) => (name === from ? to : name)
    this.indexes = this.indexes.map(one => ({ ...one, columns: one.columns.map(rename) }))
    this.keys = this.keys.map(one => ({ ...one, column: rename(one.column) }))
  }

  renameIndex(from: string, to: string): void {
    this.indexes = this.indexes.map(one => (one.name === from ? { ...one, name: to } : one))
  }

  /** Removes the indexes of a column that is created again: they are dropped with it. */
  dropIndexesOf(column: string): void {
    this.indexes = this.indexes.filter(one => !one.columns.includes(column))
  }
}

/** All tables of the database. */
export class PlannedSchema {
  readonly tables = new Map<string, PlannedTable>()

  constructor(present: Present) {
    for (const [name, table] of present) this.tables.set(name, new PlannedTable(table))
  }

  renameTable(from: string, to: string): void {
    const table = this.tables.get(from)!
    this.tables.delete(from)
    table.name = to
    this.tables.set(to, table)
    for (const one of this.tables.values())
      one.keys = one.keys.map(key => (key.table === from ? { ...key, table: to } : key))
  }
}
