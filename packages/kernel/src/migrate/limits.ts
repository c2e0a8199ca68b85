// Refuses what the database cannot store before a table is touched: names that it does not allow or does not tell
// apart, and tables that are too wide. Its own errors name neither the content type nor the attribute.

import type { Present } from '../connection/catalogue.ts'
import type { Ddl } from '../connection/ddl.ts'
import type { ColumnLayout, TableLayout } from '../connection/layout.ts'
import type { Session } from '../connection/session.ts'
import { StartError } from '../errors.ts'
import type { Attribute } from '../model/content-type.ts'
import type { PlanInput } from './plan-input.ts'

/** Throws StartError for tables and columns whose names the database refuses, or takes for the same name. */
export function refuseNames(ddl: Ddl, layout: readonly TableLayout[]): void {
  refuseTwins(layout)
  for (const table of layout) {
    refuseLong(ddl, table)
    refuseReserved(ddl, table)
    refuseTwinColumns(table)
  }
}

/** Throws StartError for tables with more columns or indexes than the database allows. */
export function refuseSizes({ ddl, layout, planned }: PlanInput): void {
  const { database, columns: most, indexes: mostIndexes } = ddl.limits
  for (const table of layout) {
    const left = planned.tables.get(table.name)?.columns.keys() ?? []
    const names = new Set([...left, ...table.columns.map(one => one.name)])
    if (names.size > most) {
      const place = placeOf(table, [...names][most]!)
      refuseSize(place, `the table "${table.name}" needs ${names.size} columns, but ${database} allows ${most}`)
    }
    // The primary key is an index, too.
    const needed = table.indexes.filter(one => one.isOnline !== true)
    const index = needed[(mostIndexes ?? Number.POSITIVE_INFINITY) - 1]
    if (index === undefined) continue
    const place = placeOf(table, index.columns[0]!)
    const needs = `the table "${table.name}" needs ${needed.length + 1} indexes, but ${database} allows ${mostIndexes}`
    refuseSize(place, `${needs}; fewer attributes can be unique or indexed`)
  }
}

/**
 * Throws StartError for columns that do not fit into a row, as far as the database finds that out before it is changed.
 */
export async function refuseWideRows(
  ddl: Ddl,
  session: Session,
  { layout, present }: { readonly layout: readonly TableLayout[]; readonly present: Present },
): Promise<void> {
  for (const table of layout) {
    const presentTable = present.get(table.name)
    const missing = table.columns.filter(column => presentTable?.columns.has(column.name) !== true)
    const from = presentTable === undefined ? null : table.name
    const refusal = missing.length === 0 ? null : await ddl.refuseRow(session, from, missing)
    if (refusal === null) continue
    const column = await firstRefused(missing, columns => ddl.refuseRow(session, from, columns))
    const fault = `it does not fit into a row of the table "${table.name}"`
    refuseSize(placeOf(table, column.name), `${fault}: ${refusal}; give long texts the type "text"`)
  }
}

/** The first column with which a table is refused, found by halving. */
async function firstRefused(
  columns: readonly ColumnLayout[],
  refuse: (columns: readonly ColumnLayout[]) => Promise<string | null>,
): Promise<ColumnLayout> {
  let [least, most] = [1, columns.length]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if ((await refuse(columns.slice(0, middle))) === null) least = middle + 1
    else most = middle
  }
  return columns[least - 1]!
}

function refuseLong({ limits: { database, nameLength } }: Ddl, table: TableLayout): void {
  if (nameLength === null) return
  for (const name of [table.name, ...table.columns.map(column => column.name)]) {
    if ([...name].length <= nameLength) continue
    const fault = `the name "${name}" has ${[...name].length} characters, but ${database} allows ${nameLength}`
    refuseName(table.owner.uid, `${fault}; choose a shorter collectionName or attribute name`)
  }
}

function refuseReserved({ limits: { database, isReservedTable, isReservedColumn } }: Ddl, table: TableLayout): void {
  if (isReservedTable(table.name)) {
    const fault = `${database} reserves the table name "${table.name}"`
    refuseName(table.owner.uid, `${fault}; choose another collectionName`)
  }
  const column = table.columns.find(one => isReservedColumn(one.name))
  if (column === undefined) return
  const fault = `${database} reserves the column name "${column.name}"`
  refuseName(placeOf(table, column.name), `${fault}; rename the attribute, or give it another "columnName"`)
}

/** Throws for two tables whose names the database truncates to the same one: they would share their rows. */
function refuseTwins(layout: readonly TableLayout[]): void {
  const owners = new Map<string, TableLayout>()
  for (const table of layout) {
    const twin = owners.get(table.name)
    if (twin !== undefined) {
      const fault = `${twin.owner.uid} and ${table.owner.uid} both need the table "${table.name}"`
      throw new StartError(
        'PLINTH_SCHEMA_NAME',
        `${fault}; choose a shorter collectionName or attribute name for one of them`,
      )
    }
    owners.set(table.name, table)
  }
}

/** Throws for two attributes whose columns the database truncates to the same name. */
function refuseTwinColumns(table: TableLayout): void {
  const names = new Set<string>()
  for (const { name } of table.columns) {
    if (names.has(name)) {
      const twins = attributesOf(table, name).map(one => `"${one.name}"`)
      const fault = `the attributes ${twins.join(' and ')} both need the column "${name}"`
      refuseName(
        table.owner.uid,
        `${fault}, as the database shortens their names; choose a shorter name for one of them`,
      )
    }
    names.add(name)
  }
}

/** The type, and the attribute of the column if one has it. */
function placeOf(table: TableLayout, column: string): string {
  const [attribute] = attributesOf(table, column)
  return attribute === undefined ? table.owner.uid : `${table.owner.uid}: attributes.${attribute.name}`
}

/** The attributes whose columns have this name, perhaps shortened by the database. */
function attributesOf({ type }: TableLayout, name: string): Attribute[] {
  const isItsColumn = (column: string) => column === name || (name.length >= 20 && column.startsWith(name))
  return [...(type?.attributes.values() ?? [])].filter(one => {
    if (one.kind === 'scalar') return isItsColumn(one.column)
    return one.kind === 'relation' && one.storage.kind === 'column' && isItsColumn(one.storage.column)
  })
}

function refuseName(place: string, fault: string): never {
  throw new StartError('PLINTH_SCHEMA_NAME', `${place}: ${fault}`)
}

function refuseSize(place: string, fault: string): never {
  throw new StartError('PLINTH_SCHEMA_SIZE', `${place}: ${fault}`)
}
