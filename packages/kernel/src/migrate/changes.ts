// Plans steps that change or drop: columns of another type, and columns and tables that no schema names.

import { isStructural } from '../connection/ddl.ts'
import type { ColumnLayout, TableLayout } from '../connection/layout.ts'
import { columnName, componentsTable, linkNames, morphNames } from '../model/naming.ts'
import { type Conversion, conversionOf } from './conversion.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedTable } from './planned-schema.ts'
import type { PlannedStep } from './step.ts'
import { withheldIn } from './withheld.ts'

/** Steps for columns whose type is not the attribute's. */
export function retypeSteps(input: PlanInput): PlannedStep[] {
  const { ddl, layout, planned } = input
  return layout.flatMap(table => {
    const present = planned.tables.get(table.name)
    if (present === undefined) return []
    return table.columns.flatMap(column => {
      const type = present.columns.get(column.name)?.type
      if (type === undefined || isStructural(column.kind) || ddl.holds(ddl.familyOf(type), column.kind)) return []
      return [retypeStep(input, table, present, column)]
    })
  })
}

/** Between two types without a conversion only a column without values can be changed. */
const ofNothing: Conversion = { widens: false, bad: '1 = 1', using: 'NULL' }

function retypeStep({ ddl }: PlanInput, table: TableLayout, present: PlannedTable, column: ColumnLayout): PlannedStep {
  const { type, was } = present.columns.get(column.name)!
  const conversion = conversionOf(ddl, ddl.familyOf(type), column.kind, ddl.quote(column.name)) ?? ofNothing
  const step = {
    name: `retype:${table.name}.${column.name}`,
    kind: 'retype' as const,
    says: `changes ${table.name}.${column.name} from ${type} to ${ddl.typeOf(column.kind)}`,
    uid: table.owner.uid,
    column: { table: table.name, name: column.name },
  }
  const sql = ddl.retype(present, column.name, column.kind, conversion.using)
  // An interrupted step may have left this column.
  present.columns.delete(`plinth_new_${column.name}`)
  const modelIndexes = new Set(table.indexes.map(one => one.columns.join()))
  const dropsIndexes = present.indexes.some(
    one => one.columns.includes(column.name) && !modelIndexes.has(one.columns.join()),
  )
  present.dropIndexesOf(column.name)
  const { bad } = conversionOf(ddl, ddl.familyOf(type), column.kind, ddl.quote(was)) ?? ofNothing
  const why = `values cannot be converted from ${type} to ${column.kind}; add a new attribute and fill it in a migration file`
  const from = `FROM ${ddl.quote(present.was)} WHERE ${ddl.quote(was)} IS NOT NULL`
  return {
    ...step,
    sql,
    dropsIndexes,
    probe: {
      kind: 'values',
      count: `SELECT COUNT(*) ${from}`,
      bad: bad === null ? '' : `${from} AND ${bad}`,
      widens: conversion.widens,
      ...(conversion === ofNothing ? { why } : {}),
    },
  }
}

/**
 * Tables of v4's core, of Plinth or of PostGIS, which belong to no type. Further tables are declared by
 * `addForeignTables`.
 */
const systemTable = /^(strapi_|admin_|plinth_|knex_|spatial_ref_sys$)/

/**
 * Steps for columns and tables that the model does not name. Columns come first, so that a plan lists small steps
 * before large ones.
 */
export function dropSteps(input: PlanInput): PlannedStep[] {
  const { layout, planned, registry } = input
  const isForeign = (name: string) => systemTable.test(name) || registry.isForeignTable(name)
  const waiting = waitingNames(input)
  const tablesByName = new Map(layout.map(table => [table.name, table]))
  const columns: PlannedStep[] = []
  const tables: PlannedStep[] = []
  for (const present of planned.tables.values()) {
    const table = tablesByName.get(present.name)
    if (table !== undefined) columns.push(...columnDrops(input, table, present, waiting))
    else if (!isForeign(present.name) && !waiting.has(present.name)) tables.push(tableDrop(input, present))
  }
  return [...columns, ...tables]
}

/** Returns the names of columns and tables of dormant attributes: switching off a plugin loses no data. */
function waitingNames({ ddl, registry }: PlanInput): ReadonlySet<string> {
  const names = new Set<string>()
  for (const type of registry.values()) {
    for (const attribute of type.attributes.values()) {
      if (attribute.kind !== 'dormant') continue
      const { name } = attribute
      for (const column of [name, `${name}_id`]) names.add(`${type.table}.${columnName(column)}`)
      names.add(ddl.fit(linkNames(type.table, type.singularName, name, '').table))
      names.add(ddl.fit(morphNames(type.table, type.singularName, name).table))
    }
  }
  return names
}

function columnDrops(
  { ddl }: PlanInput,
  table: TableLayout,
  present: PlannedTable,
  waiting: ReadonlySet<string>,
): PlannedStep[] {
  const columnNames = new Set(table.columns.map(one => one.name))
  return [...present.columns.values()]
    .filter(one => !columnNames.has(one.name) && !waiting.has(`${table.name}.${one.name}`))
    .map(({ name, was }) => {
      const sql = ddl.dropColumn(present, name)
      const count = `SELECT COUNT(*) FROM ${ddl.quote(present.was)} WHERE ${ddl.quote(was)} IS NOT NULL`
      const withheld = withheldIn(ddl, table, { present, name })
      return {
        name: `drop:${table.name}.${name}`,
        kind: 'drop',
        says: `drops the column ${table.name}.${name}, which no attribute uses`,
        sql,
        uid: table.owner.uid,
        probe: { kind: 'loss', count, unit: 'value', ...(withheld === null ? {} : { withheld }) },
      }
    })
}

function tableDrop({ ddl, layout, planned, registry }: PlanInput, present: PlannedTable): PlannedStep {
  const step = {
    name: `drop:${present.name}`,
    kind: 'drop' as const,
    says: `drops the table ${present.name}, which no content type or component uses`,
    sql: ddl.dropTable(present.name),
    uid: ownerOf(layout, present.name),
    counts: registry.mended.some(one => one.unusedTable !== null && ddl.fit(one.unusedTable) === present.name),
  }
  const holders = [...planned.tables.values()].filter(
    one => one !== present && one.keys.some(key => key.table === present.name),
  )
  if (holders.length > 0) {
    const why = `${holders.map(one => one.name).join(', ')} refer to this table; drop them first`
    return { ...step, probe: { kind: 'never', why } }
  }
  return { ...step, probe: { kind: 'loss', count: `SELECT COUNT(*) FROM ${ddl.quote(present.was)}`, unit: 'row' } }
}

/** The type that a leftover link table belonged to. */
function ownerOf(layout: readonly TableLayout[], name: string): string | null {
  const owner = layout.find(
    one => one.type !== null && (name === componentsTable(one.name) || name.startsWith(`${one.name}_`)),
  )
  return owner?.owner.uid ?? null
}
