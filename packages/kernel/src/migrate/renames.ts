// Plans steps that rename tables and columns, and the names of types and attributes that rows hold.

import type { TableLayout } from '../connection/layout.ts'
import type { ContentType } from '../model/content-type.ts'
import { componentsTable } from '../model/naming.ts'
import type { PlanInput } from './plan-input.ts'
import { formerNames, formerOf } from './previous-names.ts'
import { constraintRenames } from './rename-constraints.ts'
import type { PlannedStep } from './step.ts'

/** Steps for tables, then for columns, indexes and foreign keys, then for names in rows. */
export function renameSteps(input: PlanInput): PlannedStep[] {
  const tables = input.layout.flatMap(table => tableRename(input, table))
  const columns = input.layout.flatMap(table => columnRenames(input, table))
  return [...tables, ...columns, ...constraintRenames(input), ...textSteps(input)]
}

function tableRename({ ddl, layout, former, planned }: PlanInput, table: TableLayout): PlannedStep[] {
  const modelTables = new Set(layout.map(one => one.name))
  const names = former.get(table.name)?.tables.map(name => ddl.fit(name)) ?? []
  const formerTables = names.filter(name => planned.tables.has(name) && !modelTables.has(name))
  if (formerTables.length === 0) return []
  const [from] = formerTables as [string]
  const step = {
    name: `rename:${from}:${table.name}`,
    kind: 'rename' as const,
    says: `renames the table ${from} to ${table.name}`,
    sql: ddl.renameTable(from, table.name),
    uid: table.owner.uid,
  }
  if (planned.tables.has(table.name)) {
    const why = `both tables exist; drop one, or move the rows of ${from} in a migration file`
    return [{ ...step, probe: { kind: 'never', why } }]
  }
  if (formerTables.length > 1) {
    const why = `the former table may be ${formerTables.join(' or ')}; name it in renamedFrom`
    return [{ ...step, probe: { kind: 'never', why } }]
  }
  planned.renameTable(from, table.name)
  return [step]
}

function columnRenames({ ddl, former, planned }: PlanInput, table: TableLayout): PlannedStep[] {
  const present = planned.tables.get(table.name)
  const names = former.get(table.name)?.columns
  if (present === undefined || names === undefined) return []
  const modelColumns = new Set(table.columns.map(one => one.name))
  return [...names].flatMap(([to, candidates]) => {
    const from = candidates
      .map(name => ddl.fit(name))
      .find(name => present.columns.has(name) && !modelColumns.has(name))
    if (from === undefined || !modelColumns.has(to)) return []
    const step: PlannedStep = {
      name: `rename:${table.name}.${from}:${to}`,
      kind: 'rename',
      says: `renames the column ${table.name}.${from} to ${to}`,
      sql: ddl.renameColumn(table.name, from, to),
      uid: table.owner.uid,
    }
    const empty = present.columns.get(to)
    if (empty !== undefined) {
      // A start has added the column before `renamedFrom` was written.
      const why = `both columns exist; drop one, or move the values of ${from} in a migration file`
      const count = `SELECT COUNT(*) FROM ${ddl.quote(present.was)} WHERE ${ddl.quote(empty.was)} IS NOT NULL`
      const sql = [...ddl.dropColumn(present, to), ...step.sql]
      const says = `${step.says}, in the place of a column without values`
      return [{ ...step, says, sql, probe: { kind: 'unless', count, why } }]
    }
    present.renameColumn(from, to)
    return [step]
  })
}

/** Steps for names of types and attributes in rows. */
function textSteps(input: PlanInput): PlannedStep[] {
  const { registry } = input
  const types = registry.values()
  const steps: PlannedStep[] = []
  const renamed = types.map(type => ({ type, uids: formerOf(type).uids })).filter(one => one.uids.length > 0)
  for (const holder of typeHolders(types)) {
    for (const { type, uids } of renamed) {
      const live = uids.filter(uid => registry.get(uid) === undefined)
      if (live.length > 0) steps.push(...textStep(input, holder, live, type.uid))
    }
  }
  for (const type of types) {
    for (const attribute of type.attributes.values()) {
      const names = formerNames(attribute).filter(name => !type.attributes.has(name))
      if (names.length === 0) continue
      if (attribute.kind === 'component' || attribute.kind === 'zone') {
        const holder = { owner: type, table: componentsTable(type.table), column: 'field' }
        steps.push(...textStep(input, holder, names, attribute.name))
      } else if (attribute.kind === 'relation' && attribute.storage.kind === 'inverseMorphs') {
        const { table, type: typeColumn } = attribute.storage
        const of = { column: typeColumn, texts: [type.uid, ...formerOf(type).uids] }
        steps.push(...textStep(input, { owner: type, table, column: 'field', of }, names, attribute.name))
      }
    }
  }
  return steps
}

/** A column that holds names. */
interface Holder {
  readonly owner: ContentType
  readonly table: string
  readonly column: string
  /** Only rows in which another column has one of these texts. */
  readonly of?: { readonly column: string; readonly texts: readonly string[] }
}

/** Returns the columns that hold uids. */
function typeHolders(types: readonly ContentType[]): Holder[] {
  return types.flatMap(owner => {
    const holders: Holder[] = owner.hasComponents
      ? [{ owner, table: componentsTable(owner.table), column: 'component_type' }]
      : []
    for (const attribute of owner.attributes.values()) {
      if (attribute.kind !== 'relation') continue
      const { storage } = attribute
      if (storage.kind === 'morphs') holders.push({ owner, table: storage.table, column: storage.type })
      if (storage.kind === 'morphColumns') holders.push({ owner, table: owner.table, column: 'target_type' })
    }
    return holders
  })
}

function textStep({ ddl, planned }: PlanInput, holder: Holder, from: readonly string[], to: string): PlannedStep[] {
  const table = planned.tables.get(ddl.fit(holder.table))
  const column = table?.columns.get(holder.column)
  if (table === undefined || column === undefined) return []
  const q = (name: string) => ddl.quote(name)
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  const within = (name: string, texts: readonly string[]) => `${q(name)} IN (${texts.map(text).join(', ')})`
  const of = holder.of === undefined ? undefined : table.columns.get(holder.of.column)
  const where = (name: string, ofName: string | undefined) =>
    [within(name, from), ...(ofName === undefined ? [] : [within(ofName, holder.of!.texts)])].join(' AND ')
  return [
    {
      name: `text:${table.name}.${holder.column}:${to}`,
      kind: 'text',
      says: `replaces ${from.join(', ')} by ${to} in ${table.name}.${holder.column}`,
      sql: [`UPDATE ${q(table.name)} SET ${q(holder.column)} = ${text(to)} WHERE ${where(holder.column, of?.name)}`],
      uid: holder.owner.uid,
      probe: { kind: 'text', count: `SELECT COUNT(*) FROM ${q(table.was)} WHERE ${where(column.was, of?.was)}` },
    },
  ]
}
