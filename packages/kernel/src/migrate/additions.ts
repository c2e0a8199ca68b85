// Plans steps that add tables, columns and indexes. They change nothing that exists.

import type { PresentIndex } from '../connection/catalogue.ts'
import { type Ddl, indexColumns } from '../connection/ddl.ts'
import type { ColumnLayout, ForeignKey, IndexLayout, TableLayout } from '../connection/layout.ts'
import { indexKey } from '../model/divergence.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedTable } from './planned-schema.ts'
import type { PlannedStep } from './step.ts'

/** Steps for missing tables with their foreign keys, and for missing columns. */
export function additionSteps(input: PlanInput): PlannedStep[] {
  const { ddl, layout, planned } = input
  const existingTables = new Set(planned.tables.keys())
  const waiting: { readonly table: string; readonly key: ForeignKey }[] = []
  const steps: PlannedStep[] = []
  for (const table of layout) {
    const present = planned.tables.get(table.name)
    if (present !== undefined) {
      steps.push(...columnSteps(input, table, present))
      continue
    }
    const { sql, later } = ddl.createTable(table, existingTables)
    existingTables.add(table.name)
    waiting.push(...later.map(key => ({ table: table.name, key })))
    // Foreign keys that refer to this table are added in the same step, so that no step leaves an incomplete table.
    const due = waiting.filter(one => ddl.fit(one.key.table) === table.name)
    for (const one of due) waiting.splice(waiting.indexOf(one), 1)
    steps.push({
      name: `create:${table.name}`,
      kind: 'create',
      says: `creates the table ${table.name}`,
      sql: [...sql, ...due.flatMap(one => ddl.addForeignKey(one.table, one.key))],
      uid: table.owner.uid,
    })
  }
  return steps
}

function columnSteps(input: PlanInput, table: TableLayout, present: PlannedTable): PlannedStep[] {
  const { ddl } = input
  const missing = table.columns.filter(column => !present.columns.has(column.name))
  // Constraints of a column that belongs to no attribute any more keep their names, so a name may be taken.
  const takenNames = new Set([...present.keys, ...present.indexes].map(one => one.name))
  return missing.map(column => {
    const key = table.foreignKeys.find(one => one.column === column.name)
    const foreignKey = key === undefined ? undefined : { ...key, name: freeName(ddl.fitIndex(key.name), takenNames) }
    return {
      name: `add:${table.name}.${column.name}`,
      kind: 'add',
      says: `adds the column ${table.name}.${column.name}`,
      uid: table.owner.uid,
      column: { table: table.name, name: column.name },
      ...(column.fill === undefined
        ? { sql: ddl.addColumn(table.name, column, foreignKey) }
        : filledColumn(input, table, { ...column, fill: column.fill }, present)),
    }
  })
}

/**
 * Adds a column that takes its values from others. Where each statement commits by itself, it is filled under another
 * name, so that no row ever lacks its value: what is interrupted continues with the next plan.
 */
function filledColumn(
  { ddl }: PlanInput,
  table: TableLayout,
  column: ColumnLayout & Required<Pick<ColumnLayout, 'fill'>>,
  present: PlannedTable,
): Pick<PlannedStep, 'sql' | 'ranged'> {
  const q = (name: string) => ddl.quote(name)
  const added = ddl.isTransactional ? column.name : `plinth_new_${column.name}`
  const from = column.fill.map(name => ddl.fit(name)).filter(name => present.columns.has(name))
  const value = `COALESCE(${[...from.map(q), ddl.values.now].join(', ')})`
  const fill = `UPDATE ${q(table.name)} SET ${q(added)} = ${value} WHERE ${q(added)} IS NULL`
  const isBegun = present.columns.delete(added)
  return {
    sql: [
      ...(isBegun ? [] : ddl.addColumn(table.name, { ...column, name: added }, undefined)),
      fill,
      ...(added === column.name ? [] : ddl.renameColumn(table.name, added, column.name)),
    ],
    ranged: { table: table.name, texts: [fill] },
  }
}

function freeName(name: string, takenNames: ReadonlySet<string>): string {
  for (let i = 2, free = name; ; i++) {
    if (!takenNames.has(free)) return free
    free = `${name}_${i}`
  }
}

/** An index of a table that is there, and the names of all indexes of the database. */
interface OnlineIndex {
  readonly table: TableLayout
  readonly index: IndexLayout
  readonly present: PlannedTable
  readonly takenNames: ReadonlySet<string>
}

/** Steps for indexes that no existing index covers. */
export function indexSteps(input: PlanInput): PlannedStep[] {
  const { ddl, layout, planned } = input
  const takenNames = new Set([...planned.tables.values()].flatMap(one => one.indexes).map(one => one.name))
  return layout.flatMap(table => {
    const present = planned.tables.get(table.name)
    return table.indexes.flatMap(index => {
      if (present !== undefined && isServed(ddl, index, present)) return []
      // A new table has no rows, and nobody reads it.
      if (index.isOnline === true && present !== undefined)
        return onlineStep(input, { table, index, present, takenNames })
      return indexStep(input, table, { ...index, name: freeName(ddl.fitIndex(index.name), takenNames) }, present)
    })
  })
}

function isServed(ddl: Ddl, index: IndexLayout, present: PlannedTable): boolean {
  const columns = index.columns.join()
  return present.indexes.some(one => {
    if (one.fault !== undefined) return false
    const isNamed = one.name === ddl.fitIndex(index.name)
    // For an index of expressions, the catalogue returns no columns.
    if (isNamed && one.columns.includes('')) return true
    if (index.isOnline === true) return isNamed || begins(one, index)
    return one.columns.join() === columns && one.descending === undefined && (one.unique || !index.unique)
  })
}

/** Returns whether an index of the table begins with all columns of another one, in its directions. */
function begins(present: PresentIndex, { columns, descending = [] }: IndexLayout): boolean {
  return columns.every(
    (name, i) => present.columns[i] === name && (present.descending ?? []).includes(name) === descending.includes(name),
  )
}

/** The index that is made while others read and write. One that a failed statement has left is replaced. */
function onlineStep({ ddl }: PlanInput, { table, index, present, takenNames }: OnlineIndex): PlannedStep[] {
  const { onlineIndexing } = ddl
  const own = ddl.fitIndex(index.name)
  const failed = present.indexes.find(one => one.name === own && one.fault === 'invalid')
  const name = failed === undefined ? freeName(own, takenNames) : own
  const sql = (onlineIndexing ?? ddl).createIndex(table, { ...index, name })
  if (sql === null) return []
  const drop = failed === undefined ? [] : (onlineIndexing ?? ddl).dropIndex(table.name, own)
  const others = onlineIndexing === null ? '' : ', while others read and write'
  return [
    {
      name: `index:${own}`,
      kind: 'index' as const,
      says: `creates an index of ${table.name} on ${indexColumns(index, column => column)}${others}`,
      sql: [...drop, ...sql],
      uid: table.owner.uid,
      isOnline: true,
    },
  ]
}

function indexStep(
  { ddl }: PlanInput,
  table: TableLayout,
  index: IndexLayout,
  present: PlannedTable | undefined,
): PlannedStep[] {
  const sql = ddl.createIndex(table, index)
  if (sql === null) return []
  const columns = index.columns.join(', ')
  const step = {
    name: `index:${ddl.fitIndex(index.name)}`,
    kind: 'index' as const,
    says: `creates an index of ${table.name} on ${columns}`,
    sql,
    uid: table.owner.uid,
  }
  if (!index.unique) return [step]
  const lookup = `${index.name}_lookup`
  const has = present?.indexes.some(one => one.name === ddl.fitIndex(lookup)) === true
  const warning = `${table.name}: several rows have the same ${columns}, which should be unique; writes check it, but the database does not enforce it`
  const fallback = {
    index: indexKey(table.name, index.columns),
    sql: has ? [] : (ddl.createIndex(table, { ...index, name: lookup, unique: false }) ?? []),
    warning,
  }
  const was = index.columns.map(name => present?.columns.get(name)?.was)
  // A new table holds no rows, and new columns hold only nulls, which are never duplicates.
  if (present === undefined || was.includes(undefined)) return [{ ...step, fallback }]
  const names = was.map(name => ddl.quote(name!))
  const find = `SELECT ${names.join(', ')}, COUNT(*) FROM ${ddl.quote(present.was)}
    WHERE ${names.map(name => `${name} IS NOT NULL`).join(' AND ')} GROUP BY ${names.join(', ')} HAVING COUNT(*) > 1 LIMIT 5`
  return [{ ...step, fallback, probe: { kind: 'clashes', find } }]
}
